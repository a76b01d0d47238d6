//! A file system in memory for tests. It counts calls and fails a chosen one; it knows what is
//! durable, so it can cut the power and keep any part of the rest.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use wayfarer_engine::base::Rng;

use super::*;

/// What happens at the chosen call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// It fails without effect, later calls work.
    Fails,
    /// It takes effect and reports an error; a write is torn.
    FailsLate,
    /// From here on nothing can be created or grow; a write is torn.
    NoSpace,
    /// The process is killed: a write is torn, and every later call fails.
    Kill,
    /// The power is cut: as if killed, and of what is not durable any part remains.
    PowerCut,
}

impl Fault {
    /// True if the process does not survive it.
    pub(crate) fn is_end(self) -> bool {
        matches!(self, Self::Kill | Self::PowerCut)
    }
}

#[derive(Clone, Default, Debug)]
pub(crate) struct SimulatedDisk(Rc<RefCell<State>>);

#[derive(Clone, Default, Debug)]
struct State {
    inodes: Vec<Inode>,
    names: BTreeMap<PathBuf, usize>,
    durable_names: BTreeMap<PathBuf, usize>,
    /// Changes of names that no sync of their folder has made durable.
    pending: Vec<(PathBuf, NameChange)>,
    n_calls: usize,
    /// The call that fails, and how.
    plan: Option<(usize, Fault)>,
    /// How far the call gets at which a process ends: 0 not at all, 1 half, 2 whole.
    progress: u64,
    /// The call that failed.
    fired: Option<&'static str>,
}

#[derive(Clone, Default, Debug)]
struct Inode {
    data: Vec<u8>,
    durable: Vec<u8>,
    mode: u32,
}

#[derive(Clone, Debug)]
enum NameChange {
    Put(PathBuf, usize),
    Remove(PathBuf),
    Rename(PathBuf, PathBuf, usize),
}

#[derive(Debug)]
pub(crate) struct SimulatedFile {
    disk: SimulatedDisk,
    inode: usize,
}

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Works,
    FailsBefore,
    FailsAfter,
}

impl SimulatedDisk {
    /// Fails the call after the next `n_calls`.
    pub(crate) fn plan(&self, n_calls: usize, fault: Fault) {
        let mut state = self.0.borrow_mut();
        state.n_calls = 0;
        state.plan = Some((n_calls, fault));
        state.progress = 1;
        state.fired = None;
    }

    /// How far the call gets at which a process ends: 0 not at all, 1 half (a torn write), 2 whole.
    pub(crate) fn set_progress(&self, progress: u64) {
        self.0.borrow_mut().progress = progress;
    }

    /// The name of the call that failed, once one has.
    pub(crate) fn fired(&self) -> Option<&'static str> {
        self.0.borrow().fired
    }

    /// The state that the next process finds: if the power was cut, what is not durable
    /// remains in part, as `rng` has it.
    pub(crate) fn restart(&self, rng: &mut Rng) {
        let mut state = self.0.borrow_mut();
        let is_power_cut =
            matches!(state.plan, Some((_, Fault::PowerCut))) && state.fired.is_some();
        (state.plan, state.fired) = (None, None);
        for inode in &mut state.inodes {
            if is_power_cut {
                inode.lose_part(rng);
            }
            inode.durable = inode.data.clone();
        }
        let pending = std::mem::take(&mut state.pending);
        if is_power_cut {
            let mut names = std::mem::take(&mut state.durable_names);
            for (_, change) in pending {
                if rng.below(2) == 0 {
                    change.apply(&mut names);
                }
            }
            state.names = names;
        }
        state.durable_names = state.names.clone();
    }

    pub(crate) fn file_names(&self) -> Vec<String> {
        let state = self.0.borrow();
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        state.names.keys().map(name).collect()
    }

    /// Puts a durable file in place, without a call.
    pub(crate) fn put(&self, path: &Path, data: &[u8], mode: u32) {
        let mut state = self.0.borrow_mut();
        let inode = state.inodes.len();
        let (data, durable) = (data.to_vec(), data.to_vec());
        state.inodes.push(Inode {
            data,
            durable,
            mode,
        });
        state.names.insert(path.to_owned(), inode);
        state.durable_names.insert(path.to_owned(), inode);
    }

    pub(crate) fn contents(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.0.borrow();
        let inode = *state.names.get(path)?;
        Some(state.inodes[inode].data.clone())
    }

    pub(crate) fn mode(&self, path: &Path) -> u32 {
        let state = self.0.borrow();
        state.inodes[state.names[path]].mode
    }

    fn call(&self, what: &'static str, grows: bool) -> io::Result<Verdict> {
        let mut state = self.0.borrow_mut();
        let number = state.n_calls;
        state.n_calls += 1;
        let Some((at, fault)) = state.plan else {
            return Ok(Verdict::Works);
        };
        if number < at || number > at && !fault.is_end() && !(fault == Fault::NoSpace && grows) {
            return Ok(Verdict::Works);
        }
        if number > at && fault.is_end() {
            return Err(io::Error::other("the process is dead"));
        }
        match fault {
            Fault::NoSpace if !grows => return Ok(Verdict::Works),
            Fault::Kill | Fault::PowerCut if state.progress == 0 => {
                state.fired = Some(what);
                return Ok(Verdict::FailsBefore);
            }
            Fault::Fails => {
                state.fired = Some(what);
                return Ok(Verdict::FailsBefore);
            }
            _ => {}
        }
        state.fired = Some(what);
        Ok(Verdict::FailsAfter)
    }

    /// Runs a call that changes something: it may fail before or after its effect.
    fn change<T>(
        &self,
        what: &'static str,
        grows: bool,
        run: impl FnOnce(&mut State) -> io::Result<T>,
    ) -> io::Result<T> {
        let verdict = self.call(what, grows)?;
        if verdict == Verdict::FailsBefore {
            return Err(io::Error::other(what));
        }
        let is_full = matches!(self.0.borrow().plan, Some((_, Fault::NoSpace)));
        if verdict == Verdict::FailsAfter && is_full {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let done = run(&mut self.0.borrow_mut())?;
        match verdict {
            Verdict::Works => Ok(done),
            _ => Err(io::Error::other(what)),
        }
    }

    fn file(&self, inode: usize) -> SimulatedFile {
        SimulatedFile {
            disk: self.clone(),
            inode,
        }
    }
}

impl Inode {
    /// After a power cut each block of 8 bytes is old, new or zero, and so is the length old, new or
    /// between.
    fn lose_part(&mut self, rng: &mut Rng) {
        if self.data == self.durable {
            return;
        }
        let (low, high) = (
            self.durable.len().min(self.data.len()),
            self.durable.len().max(self.data.len()),
        );
        let length = match rng.below(3) {
            0 => low,
            1 => high,
            _ => low + rng.below(u32::try_from(high - low).unwrap() + 1) as usize,
        };
        let mut found = vec![0; length];
        for start in (0..length).step_by(8) {
            let source = match rng.below(3) {
                0 => &self.durable,
                1 => &self.data,
                // Zero, unless both agree on it.
                _ => {
                    let end = (start + 8).min(self.data.len()).min(self.durable.len());
                    if start < end && self.data[start..end] == self.durable[start..end] {
                        &self.data
                    } else {
                        continue;
                    }
                }
            };
            let end = (start + 8).min(length).min(source.len());
            if start < end {
                found[start..end].copy_from_slice(&source[start..end]);
            }
        }
        self.data = found;
    }
}

impl NameChange {
    fn apply(self, names: &mut BTreeMap<PathBuf, usize>) {
        match self {
            Self::Put(path, inode) => {
                names.insert(path, inode);
            }
            Self::Remove(path) => {
                names.remove(&path);
            }
            Self::Rename(from, to, inode) => {
                if names.get(&from) == Some(&inode) {
                    names.remove(&from);
                }
                names.insert(to, inode);
            }
        }
    }
}

impl State {
    fn change_name(&mut self, folder: &Path, change: NameChange) {
        change.clone().apply(&mut self.names);
        self.pending.push((folder_of(folder), change));
    }

    fn find(&self, path: &Path) -> io::Result<usize> {
        let found = self.names.get(path).copied();
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Disk for SimulatedDisk {
    type File = SimulatedFile;

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.change("resolve", false, |_| Ok(path.to_owned()))
    }

    fn entry(&self, path: &Path) -> Entry {
        let state = self.0.borrow();
        let inode = state.names.get(path);
        inode.map_or(Entry::Nothing, |inode| {
            Entry::File(state.inodes[*inode].data.len() as u64)
        })
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.change("names", false, |state| {
            let inside = state.names.keys().filter(|path| folder_of(path) == folder);
            Ok(inside
                .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
                .collect())
        })
    }

    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        self.change("read_from", false, |state| {
            let inode = state.find(path)?;
            let data = &state.inodes[inode].data;
            Ok(data[data.len().min(small(offset))..].to_vec())
        })
    }

    fn create_folder(&self, _path: &Path) -> io::Result<()> {
        self.change("create_folder", true, |_| Ok(()))
    }

    fn create_new(&self, path: &Path) -> io::Result<SimulatedFile> {
        let inode = self.change("create_new", true, |state| {
            if state.names.contains_key(path) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let inode = state.inodes.len();
            state.inodes.push(Inode {
                mode: 0o644,
                ..Inode::default()
            });
            state.change_name(path, NameChange::Put(path.to_owned(), inode));
            Ok(inode)
        })?;
        Ok(self.file(inode))
    }

    fn open(&self, path: &Path) -> io::Result<SimulatedFile> {
        let inode = self.change("open", false, |state| state.find(path))?;
        Ok(self.file(inode))
    }

    fn copy_mode(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change("copy_mode", false, |state| {
            let (from, to) = (state.find(from)?, state.find(to)?);
            state.inodes[to].mode = state.inodes[from].mode;
            Ok(())
        })
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change("link", true, |state| {
            let inode = state.find(from)?;
            if state.names.contains_key(to) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            state.change_name(to, NameChange::Put(to.to_owned(), inode));
            Ok(())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change("rename", false, |state| {
            let inode = state.find(from)?;
            if state.names.get(to) == Some(&inode) {
                return Ok(());
            }
            let change = NameChange::Rename(from.to_owned(), to.to_owned(), inode);
            state.change_name(to, change);
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.change("remove", false, |state| {
            state.find(path)?;
            state.change_name(path, NameChange::Remove(path.to_owned()));
            Ok(())
        })
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.change("sync_folder", false, |state| {
            let pending = std::mem::take(&mut state.pending);
            for (of, change) in pending {
                if of == folder {
                    change.apply(&mut state.durable_names);
                } else {
                    state.pending.push((of, change));
                }
            }
            Ok(())
        })
    }

    fn lock_file(&self, path: &Path) -> io::Result<Option<SimulatedFile>> {
        let inode = self.change("lock_file", true, |state| {
            if let Some(inode) = state.names.get(path) {
                return Ok(*inode);
            }
            let inode = state.inodes.len();
            state.inodes.push(Inode::default());
            state.change_name(path, NameChange::Put(path.to_owned(), inode));
            Ok(inode)
        })?;
        Ok(Some(self.file(inode)))
    }

    /// One thread at a time uses a simulated disk: the lock is free.
    fn lock_folder(&self, _folder: &Path, _is_exclusive: bool) -> Option<SimulatedFile> {
        let locked = self.change("lock_folder", false, |_| Ok(()));
        locked.ok().map(|()| self.file(usize::MAX))
    }
}

impl DiskFile for SimulatedFile {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let verdict = self.disk.call("write", true)?;
        let mut state = self.disk.0.borrow_mut();
        let n_written = match verdict {
            Verdict::Works => bytes.len(),
            Verdict::FailsBefore => 0,
            Verdict::FailsAfter if state.progress == 2 => bytes.len(),
            Verdict::FailsAfter => bytes.len() / 2,
        };
        state.inodes[self.inode].data.extend(&bytes[..n_written]);
        match (verdict, state.plan) {
            (Verdict::Works, _) => Ok(()),
            (_, Some((_, Fault::NoSpace))) => Err(io::ErrorKind::StorageFull.into()),
            _ => Err(io::Error::other("write")),
        }
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.disk.change("truncate", false, |state| {
            let data = &mut state.inodes[self.inode].data;
            data.truncate(small(length));
            Ok(())
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.change("sync", false, |state| {
            let inode = &mut state.inodes[self.inode];
            inode.durable = inode.data.clone();
            Ok(())
        })
    }
}

/// A length of a file in memory.
fn small(length: u64) -> usize {
    usize::try_from(length).unwrap()
}
