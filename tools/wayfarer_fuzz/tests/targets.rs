//! Every target on seeded mutations of its seeds; `cargo xtask fuzz` runs more.

use wayfarer_counting::CountingAllocator;
use wayfarer_fuzz::TARGETS;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// One test, because the allocator counts all threads together.
#[test]
fn no_target_panics_or_uses_memory_out_of_proportion() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{}", target.name);
        for seed in &seeds {
            target.check(seed);
        }
        let n_inputs = match target.name {
            "facade" => 30,
            "planner" | "path" | "command" | "facade-saved" | "journal" => 300,
            "calls" => 400,
            "saved" | "build" => 1_500,
            _ => 500,
        };
        for number in 0..n_inputs {
            target.run_mutation(&seeds, number);
        }
    }
}
