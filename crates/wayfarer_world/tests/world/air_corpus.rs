//! Octrees of the benchmark maps, if `WAYFARER_DATA` names the folder that holds them.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking and may say what it skips"
)]

use std::path::PathBuf;

use wayfarer_base::{Rng, Voxel, VoxelSet};
use wayfarer_world::air::{Air, AirBuilder, AirEdit};

fn maps() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("WAYFARER_DATA") else {
        println!("skipped: no data");
        return Vec::new();
    };
    let folder = PathBuf::from(folder).join("warframe");
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut maps: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "3dmap"))
        .collect();
    maps.sort();
    assert!(!maps.is_empty(), "no map in {}", folder.display());
    maps
}

fn read(path: &PathBuf) -> VoxelSet {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let numbers = |line: &str| -> [u32; 3] {
        let mut words = line.split_whitespace().filter_map(|word| word.parse().ok());
        std::array::from_fn(|_| words.next().unwrap())
    };
    let size = numbers(lines.next().unwrap());
    VoxelSet::new(size, lines.map(numbers).collect()).unwrap()
}

fn voxel([x, y, z]: [u32; 3]) -> Voxel {
    let fit = |at: u32| i32::try_from(at).unwrap();
    Voxel::new(fit(x), fit(y), fit(z))
}

fn build(set: &VoxelSet) -> Air {
    AirBuilder::from_set(set).unwrap().build().unwrap()
}

#[test]
fn maps_have_the_voxels_of_their_files_in_bounded_memory() {
    for path in maps() {
        let set = read(&path);
        let air = build(&set);
        assert_eq!(
            air.n_solid(),
            set.solid().len() as u64,
            "{}",
            path.display()
        );
        assert!(set.solid().iter().all(|at| air.is_solid(voxel(*at))));
        let bytes = air.memory().total();
        assert!(
            bytes <= 5 * set.solid().len(),
            "{}: {bytes} bytes",
            path.display()
        );
        if path.ends_with("A1.3dmap") {
            assert!(bytes <= 400_000, "{bytes} bytes");
        }
    }
}

/// Every pair of the scenarios has a path, so both ends share a component.
#[test]
fn starts_and_goals_of_scenarios_are_connected() {
    for path in maps() {
        let air = build(&read(&path));
        let mut scenario_path = path.clone().into_os_string();
        scenario_path.push(".3dscen");
        let text = std::fs::read_to_string(scenario_path).unwrap();
        let mut problems = 0;
        for line in text.lines().skip(2) {
            let numbers: Vec<f64> = line
                .split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect();
            #[expect(clippy::cast_possible_truncation, reason = "voxel numbers of a map")]
            let at = |first: usize| {
                Voxel::new(
                    numbers[first] as i32,
                    numbers[first + 1] as i32,
                    numbers[first + 2] as i32,
                )
            };
            assert!(air.is_connected(at(0), at(3)), "{}: {line}", path.display());
            problems += 1;
        }
        assert!(problems > 1_000, "{}: {problems} problems", path.display());
    }
}

#[test]
fn edits_of_a_benchmark_map_equal_a_rebuild_and_can_be_inverted() {
    for path in maps() {
        let set = read(&path);
        let mut air = build(&set);
        let digest = air.digest();
        let mut rng = Rng::new(11);
        let mut history = Vec::new();
        let mut solid: std::collections::BTreeSet<[u32; 3]> = set.solid().iter().copied().collect();
        for _ in 0..300 {
            let center = rng.pick(set.solid()).copied().unwrap();
            let low: [u32; 3] = std::array::from_fn(|axis| {
                let at = center[axis].saturating_sub(rng.below(6));
                at.min(set.size()[axis] - 4)
            });
            let (from, to) = (voxel(low), voxel(low.map(|at| at + 3)));
            let is_fill = rng.chance(1, 2);
            let edit = if is_fill {
                AirEdit::Fill {
                    low: from,
                    high: to,
                }
            } else {
                AirEdit::Clear {
                    low: from,
                    high: to,
                }
            };
            for bit in 0..64 {
                let at = [low[0] + bit % 4, low[1] + bit / 4 % 4, low[2] + bit / 16];
                if is_fill {
                    solid.insert(at);
                } else {
                    solid.remove(&at);
                }
            }
            history.push(air.apply(&[edit]).unwrap());
        }
        let rebuilt = VoxelSet::new(set.size(), solid.into_iter().collect()).unwrap();
        assert_eq!(air.digest(), build(&rebuilt).digest(), "{}", path.display());
        for changes in history.iter().rev() {
            air.restore(&changes.inverse()).unwrap();
        }
        assert_eq!(air.digest(), digest, "{}", path.display());
    }
}
