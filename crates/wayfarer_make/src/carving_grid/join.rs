//! Joins the separate parts of a board by tunnels along the shortest paths through the rock.

use super::{Board, GROUND, ROCK, SWAMP};

/// No part: rock that no wave has reached.
const NONE: u32 = 0;
/// The cell is where the wave began.
const SOURCE: u8 = 4;

/// Two parts that meet, and where their waves touch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Meeting {
    /// Rock to dig through, in cells.
    length: u32,
    /// The cell of the one part's wave.
    cell: u32,
    /// The cell of the other's.
    other: u32,
}

/// Waves that spread from every part at once through the rock.
struct Waves {
    /// The part whose wave came first, for each cell.
    part: Vec<u32>,
    /// Which neighbor the wave came from, or `SOURCE`.
    from: Vec<u8>,
}

impl Board {
    /// Fills parts (cells that reach each other by straight steps) below `least` cells with rock,
    /// the largest excepted, and joins all others by tunnels. Cells nearer than `border` to the edge
    /// are never dug; a part that lies wholly in the rim may stay alone.
    pub(crate) fn join(&mut self, least: u32, border: i32) {
        let (part, sizes) = self.parts();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let keep = |part: u32| sizes[part as usize] >= least.min(largest);
        let mut part = part;
        for (cell, part) in self.cells.iter_mut().zip(&mut part) {
            if *part != NONE && !keep(*part) {
                *part = NONE;
                *cell = ROCK;
            }
        }
        let (waves, mut meetings) = self.spread(part, border);
        meetings.sort_unstable();
        let mut leader: Vec<u32> = (0..).take(sizes.len()).collect();
        for meeting in meetings {
            let a = find(&mut leader, waves.part[meeting.cell as usize]);
            let b = find(&mut leader, waves.part[meeting.other as usize]);
            if a != b {
                leader[a.max(b) as usize] = a.min(b);
                self.tunnel(&waves.from, meeting.cell, border);
                self.tunnel(&waves.from, meeting.other, border);
            }
        }
    }

    /// The part of each cell, numbered from 1 in the order of the first cell, 0 for rock; and the
    /// number of cells of each part.
    pub(crate) fn parts(&self) -> (Vec<u32>, Vec<u32>) {
        let mut part = vec![NONE; self.cells.len()];
        let mut sizes = vec![0];
        let mut stack = Vec::new();
        for first in 0..self.cells.len() {
            if part[first] != NONE || self.cells[first] > SWAMP {
                continue;
            }
            let name = sizes.len() as u32;
            let mut size = 0;
            part[first] = name;
            stack.push(first as u32);
            while let Some(cell) = stack.pop() {
                size += 1;
                for next in self.around(cell).into_iter().flatten() {
                    let (slot, at) = (&mut part[next as usize], self.cells[next as usize]);
                    if *slot == NONE && at <= SWAMP {
                        *slot = name;
                        stack.push(next);
                    }
                }
            }
            sizes.push(size);
        }
        (part, sizes)
    }

    fn spread(&self, mut part: Vec<u32>, border: i32) -> (Waves, Vec<Meeting>) {
        let mut from = vec![SOURCE; part.len()];
        let mut meetings = Vec::new();
        let mut wave: Vec<u32> = (0..part.len() as u32)
            .filter(|&cell| part[cell as usize] != NONE)
            .collect();
        let mut next_wave = Vec::new();
        let mut length = 0;
        let inside = self.inside(border);
        while !wave.is_empty() {
            for &cell in &wave {
                let name = part[cell as usize];
                for (direction, next) in (0..).zip(self.around(cell)) {
                    let Some(next) = next else { continue };
                    let found = &mut part[next as usize];
                    if *found == NONE && inside.contains(self.column(next)) {
                        *found = name;
                        from[next as usize] = direction;
                        next_wave.push(next);
                    } else if *found != NONE && *found != name {
                        meetings.push(Meeting {
                            length,
                            cell,
                            other: next,
                        });
                    }
                }
            }
            std::mem::swap(&mut wave, &mut next_wave);
            next_wave.clear();
            length += 1;
        }
        (Waves { part, from }, meetings)
    }

    /// Digs from `cell` back to where its wave began, two cells wide where that is inside.
    fn tunnel(&mut self, from: &[u8], mut cell: u32, border: i32) {
        let inside = self.inside(border);
        while from[cell as usize] != SOURCE {
            let at = self.column(cell);
            self.put(at.x, at.y, GROUND);
            let beside = wayfarer_base::Column::new(at.x + 1, at.y);
            if inside.contains(beside) && !self.is_open(beside.x, beside.y) {
                self.put(beside.x, beside.y, GROUND);
            }
            let back = (from[cell as usize] + 2) % 4;
            let Some(before) = self.around(cell)[usize::from(back)] else {
                return;
            };
            cell = before;
        }
    }

    fn column(&self, cell: u32) -> wayfarer_base::Column {
        let width = self.width as u32;
        wayfarer_base::Column::new((cell % width) as i32, (cell / width) as i32)
    }

    /// The cells north, east, south and west.
    fn around(&self, cell: u32) -> [Option<u32>; 4] {
        let width = self.width as u32;
        let (x, end) = (cell % width, self.cells.len() as u32);
        [
            cell.checked_sub(width),
            (x + 1 < width).then_some(cell + 1),
            Some(cell + width).filter(|&south| south < end),
            (x > 0).then(|| cell - 1),
        ]
    }
}

fn find(leader: &mut [u32], mut part: u32) -> u32 {
    while leader[part as usize] != part {
        leader[part as usize] = leader[leader[part as usize] as usize];
        part = leader[part as usize];
    }
    part
}
