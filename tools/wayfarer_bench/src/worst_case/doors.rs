//! Doors of a generated building, closed and opened; some split its components.

use wayfarer_engine::base::{GroundEdit, LinkState, NavLinkId, NavLinkKind};
use wayfarer_engine::make::{GeneratedWorld, Generator, MakeError, Recipe, make};
use wayfarer_engine::world::ground::Ground;
use wayfarer_measure::statistics::Spread;

use super::report::DoorRow;
use crate::edit_times::{EditTimer, ReversibleEdit};

/// Repetitions of each door; the median counts.
const REPEATS: usize = 21;

pub(super) fn measure(side: u32, timer: &EditTimer) -> Result<DoorRow, MakeError> {
    let GeneratedWorld::MultiFloor(plan) = make(&Recipe::new(Generator::Building, side, side, 1))?
    else {
        unreachable!("a building has several floors");
    };
    let mut ground = Ground::from_data(&plan).expect("a generated building is a world");
    let whole = ground.canonical();
    let mut doors: Vec<NavLinkId> = ground
        .nav_links()
        .filter(|nav_link| nav_link.kind == NavLinkKind::Door && nav_link.state == LinkState::Open)
        .map(NavLinkId::from)
        .collect();
    doors.sort_unstable();
    let (mut close, mut open) = (Vec::new(), Vec::new());
    let (mut close_other, mut open_other) = (Vec::new(), Vec::new());
    let mut faults = Vec::new();
    for &nav_link in &doors {
        let set = |gate| {
            vec![GroundEdit::SetNavLinkState {
                nav_link,
                state: gate,
            }]
        };
        let pair = ReversibleEdit {
            there: set(LinkState::Closed),
            back: set(LinkState::Open),
        };
        let (closed, _, _) = timer.once(&mut ground, &pair.there);
        let (opened, _, _) = timer.once(&mut ground, &pair.back);
        let at = nav_link.from;
        if closed.split_pairs.len() != opened.merged_pairs.len() {
            faults.push(format!(
                "the door at {at} splits and merges different components"
            ));
        }
        let (closing, opening) = timer.there_and_back(&mut ground, &pair, REPEATS).medians();
        if closed.split_pairs.is_empty() {
            close_other.push(closing);
            open_other.push(opening);
        } else {
            close.push(closing);
            open.push(opening);
        }
    }
    if ground.canonical() != whole {
        faults.push("all doors are open again and the building differs".to_owned());
    }
    if close.is_empty() {
        faults.push("no door splits the building".to_owned());
    }
    Ok(DoorRow {
        side,
        n_cells: ground.counts().0,
        n_doors: doors.len(),
        n_parting: close.len(),
        close_us: Spread::of(&mut close),
        open_us: Spread::of(&mut open),
        close_other_us: Spread::of(&mut close_other),
        open_other_us: Spread::of(&mut open_other),
        faults,
    })
}
