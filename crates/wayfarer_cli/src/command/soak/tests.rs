use wayfarer_bench::soak::whole::{Failed as FailedWhole, Trace};
use wayfarer_engine::base::scenario::EditTrace;
use wayfarer_testkit::{WorldKind, random_world};

use super::*;

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let name = format!("wayfarer_soak_{name}_{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_failure_is_written_to_files_that_can_be_replayed() {
    let folder = folder("wrong");
    let mut out = Output::default();
    let failed = Failed {
        seed: 7,
        kind: WorldKind::Mixed,
        batch: 0,
        reason: "a test".to_owned(),
        world: random_world(7, WorldKind::Mixed),
        trace: EditTrace { steps: Vec::new() },
    };
    write_failure(&failed, &folder, &mut out).unwrap();
    let trace = Trace {
        seed: 9,
        steps: vec![4, 2],
    };
    let failed = FailedWhole {
        trace: trace.clone(),
        n_steps: 30,
        reason: "a test".to_owned(),
    };
    whole::write_failure(&failed, &folder, &mut out).unwrap();
    out.finish().unwrap();
    for name in ["soak-7.world", "soak-7.edits", "soak-9.trace"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let text = std::fs::read_to_string(folder.join("soak-9.trace")).unwrap();
    assert_eq!(Trace::read(&text), Ok(trace));
    std::fs::remove_dir_all(&folder).unwrap();
}
