//! Split and merged pairs of components, from witnesses.
//!
//! A witness is a cell that exists before and after the batch, with its component at both times.
//! Witnesses with one component before and several after were split; with several before and one
//! after, merged. Every cut and every seam has a witness on either side, because the old regions
//! and cells of all changed sectors, and the regions whose edges changed, are recorded before they
//! are repaired.

use wayfarer_base::Cell;

use crate::ground::hierarchy::ComponentId;
use crate::ground::node::NodeId;
use crate::ground::scratch::{OldCell, Scratch, Witness};
use crate::ground::{Ground, bitboard};

impl Ground {
    /// True if every recorded cell that still exists kept its page and label. If no block is dirty
    /// either, all components are the same. Ordinals alone do not show it: regions may have
    /// exchanged theirs while their number and the edges between ordinals stayed equal.
    pub(super) fn has_same_labels(&self, scratch: &Scratch) -> bool {
        let has_moved = |old: &OldCell| {
            self.node(old.cell).is_some_and(|node| {
                let sheet = self.sheet_of(node);
                let ordinal = usize::from(sheet.region_at(node.local()));
                (node.page(), sheet.regions()[ordinal].label) != (old.page, old.label)
            })
        };
        !scratch.old.has_renumbered_cells
            && scratch
                .old
                .regions
                .iter()
                .all(|old| old.height_before.is_none())
            && !scratch.old.cells.iter().any(has_moved)
    }

    /// Drops old regions that had no portal, if the same cells form a region without a portal now:
    /// they were neither split nor merged.
    pub(super) fn drop_unchanged(&self, scratch: &mut Scratch) {
        scratch.old.regions.retain(|region| {
            let unmoved = || {
                let page = self.pages[region.page as usize].as_deref()?;
                let sheet = page
                    .sheet(region.position)
                    .filter(|s| s.details.is_none())?;
                let first = bitboard::first(&region.board)?;
                let (x, y) = (i32::from(first & 15), i32::from(first >> 4));
                let ordinal = sheet.walkable.get(x, y).then(|| sheet.region_at(first))?;
                let now = &sheet.regions()[usize::from(ordinal)];
                Some(now.n_portals == 0 && sheet.board_of(ordinal) == region.board)
            };
            let may_move = !region.is_isolated || region.height_before.is_some();
            may_move || unmoved() != Some(true)
        });
    }

    /// Collects the witnesses and derives `split_pairs` and `merged_pairs`, both sorted. O(w log w)
    /// in the number of distinct (before, after) pairs.
    pub(super) fn find_split_and_merged(&self, scratch: &mut Scratch) {
        scratch.old.witnesses.clear();
        let (old_regions, rest) = scratch.old.components.split_at(scratch.old.regions.len());
        let (kept_regions, old_cells) = rest.split_at(scratch.old.kept_regions.len());
        for (region, before) in scratch.old.kept_regions.iter().zip(kept_regions) {
            let sheet = self.page(region.page).sheet(region.position);
            let Some(now) = sheet.and_then(|s| s.regions().get(usize::from(region.ordinal))) else {
                continue;
            };
            add_witness(
                &mut scratch.old.witnesses,
                Witness {
                    cell: self.cell(NodeId::new(region.page, region.position, now.first)),
                    before: *before,
                    after: self.component_of(region.page, region.position, now.label),
                },
            );
        }
        for (region, before) in scratch.old.regions.iter().zip(old_regions) {
            let Some(page) = self.pages[region.page as usize].as_deref() else {
                continue;
            };
            if let Some(z) = region.height_before {
                let origin = page.key.sector(region.position).origin();
                for local in bitboard::cells(&region.board) {
                    let (x, y) = (i32::from(local & 15), i32::from(local >> 4));
                    let cell = Cell::new(origin.x + x, origin.y + y, z);
                    if let Some(node) = self.node(cell) {
                        add_witness(
                            &mut scratch.old.witnesses,
                            Witness {
                                cell,
                                before: *before,
                                after: self.component(node),
                            },
                        );
                    }
                }
                continue;
            }
            let Some(sheet) = page.sheet(region.position) else {
                continue;
            };
            let mut rest = region.board;
            let walkable = sheet.walkable.board();
            for (rest, walkable) in rest.iter_mut().zip(&walkable) {
                *rest &= walkable;
            }
            while let Some(mut local) = bitboard::first(&rest) {
                let ordinal = sheet.region_at(local);
                let now = &sheet.regions()[usize::from(ordinal)];
                let found = sheet.board_of(ordinal);
                if region.is_mixed {
                    let both = std::array::from_fn(|y| rest[y] & found[y]);
                    local = bitboard::westernmost(&both).unwrap_or(local);
                }
                add_witness(
                    &mut scratch.old.witnesses,
                    Witness {
                        cell: self.cell(NodeId::new(region.page, region.position, local)),
                        before: *before,
                        after: self.component_of(region.page, region.position, now.label),
                    },
                );
                for (rest, found) in rest.iter_mut().zip(&found) {
                    *rest &= !found;
                }
            }
        }
        for (old, before) in scratch.old.cells.iter().zip(old_cells) {
            if let Some(node) = self.node(old.cell) {
                add_witness(
                    &mut scratch.old.witnesses,
                    Witness {
                        cell: old.cell,
                        before: *before,
                        after: self.component(node),
                    },
                );
            }
        }
        let witnesses = &mut scratch.old.witnesses;
        witnesses.sort_unstable_by_key(|w| (w.before, w.after, w.cell));
        witnesses.dedup_by_key(|w| (w.before, w.after));
        pairs(witnesses, |w| w.before, &mut scratch.old.split_pairs);
        witnesses.sort_unstable_by_key(|w| (w.after, w.before));
        pairs(witnesses, |w| w.after, &mut scratch.old.merged_pairs);
    }
}

/// Adds a witness, or lowers the cell of a recent one with the same components: most repeat.
#[inline]
fn add_witness(witnesses: &mut Vec<Witness>, witness: Witness) {
    let mut latest = witnesses.iter_mut().rev().take(8);
    match latest.find(|w| (w.before, w.after) == (witness.before, witness.after)) {
        Some(known) => known.cell = known.cell.min(witness.cell),
        None => witnesses.push(witness),
    }
}

/// For each run of witnesses with equal keys, the first cell paired with each of the others.
fn pairs(
    witnesses: &[Witness],
    key: impl Fn(&Witness) -> ComponentId,
    pairs: &mut Vec<(Cell, Cell)>,
) {
    for run in witnesses.chunk_by(|a, b| key(a) == key(b)) {
        let Some(first) = run.iter().map(|w| w.cell).min() else {
            continue;
        };
        let others = run.iter().map(|w| w.cell).filter(|cell| *cell != first);
        pairs.extend(others.map(|cell| (first, cell)));
    }
    pairs.sort_unstable();
}
