//! The search itself, over lists that are kept when they were needed twice.

use wayfarer_base::{Cost, Observer, Place as At, SearchEvent};
use wayfarer_world::ground::Ground;

use super::cache::{NONE, Place};
use super::draft::{BY_LEAP, BY_STEP, EVERYWHERE, Sight};
use super::searcher::{End, ExactSearcher, SeenPlace};

/// Numbers of places that are not of the cache begin here.
const GUEST: u32 = 1 << 28;

/// The number of places that no cheapest way leads to.
const ASIDE: u32 = u32::MAX - 1;

impl ExactSearcher {
    /// The place of a slot.
    #[inline]
    pub(super) fn place(&self, slot: u32) -> &Place {
        let number = slot >> 3;
        if number < GUEST {
            &self.cache.places[number as usize]
        } else {
            &self.guests.at(number - GUEST).place
        }
    }

    /// Begins a search in a cell; false if the way may cost more than fits.
    pub(super) fn set_out(&mut self, ground: &Ground) -> bool {
        let node = self.query.start;
        let cell = ground.cell(node);
        self.open.clear();
        self.seen.clear();
        self.guests.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.fill((0, 0));
            self.stamp = 1;
        }
        let place = if let Some(known) = self.cache.find(node, cell.x, cell.y) {
            self.mark(known, 0);
            known
        } else {
            let guest = self.guests.see(&Sight {
                node,
                x: cell.x,
                y: cell.y,
                cost: 0,
                directions: EVERYWHERE,
                arrival: BY_LEAP,
            });
            self.guests.at_mut(guest).number = 0;
            guest | GUEST
        };
        let slot = place << 3 | u32::from(BY_LEAP);
        let rest = self.rest(ground, slot, cell.x, cell.y).unwrap_or(0);
        let Ok(total) = u32::try_from(self.aim.weigh(rest)) else {
            return false;
        };
        self.seen.push(SeenPlace {
            x: cell.x,
            y: cell.y,
            cost: 0,
            total,
            parent: NONE,
            slot,
        });
        self.open.push(total, 0);
        self.nearest = (0, total);
        self.spent.pushes = 1;
        true
    }

    pub(super) fn search(
        &mut self,
        ground: &Ground,
        expansions: u64,
        observer: &mut impl Observer,
    ) -> End {
        let until = self.spent.expansions.saturating_add(expansions);
        let aim = self.aim;
        // Expansions with a list, and without.
        let (mut n_known, mut n_looks) = (0_u32, 0_u32);
        while let Some((total, number)) = self.open.pop() {
            let from = self.seen[number as usize];
            if from.total != total {
                continue; // A cheaper way was found since.
            }
            if self.spent.expansions >= until {
                self.open.push(total, number);
                return End::OutOfBudget;
            }
            self.spent.expansions += 1;
            let rest = total - from.cost;
            if rest < self.nearest.1 {
                self.nearest = (number, rest);
            }
            if is_active(observer) {
                self.tell(ground, &from, observer);
            }
            if rest == 0 && self.place(from.slot).node == self.query.goal {
                return self.arrive(ground, number, observer);
            }
            let Some(&list) = self.cache.list(from.slot) else {
                n_looks += 1;
                let is_plain = self.look_around(ground, &from, n_known >= n_looks);
                let diagonals = self.draft.diagonals;
                if is_plain
                    && aim.is_seen_from(from.x, from.y, |quarter| diagonals[quarter])
                    && self.is_same_floor(ground, &from)
                {
                    return self.arrive(ground, number, observer);
                }
                for index in 0..self.edges.len() {
                    let cost = u64::from(from.cost) + self.draft.sights[index].cost;
                    let slot = self.edges[index];
                    if !self.reach(ground, number, slot, |_, _| cost) {
                        return End::GiveUp;
                    }
                }
                continue;
            };
            n_known += 1;
            let diagonal = |quarter: usize| list.diagonals[quarter].into();
            if aim.is_seen_from(from.x, from.y, diagonal) && self.is_same_floor(ground, &from) {
                return self.arrive(ground, number, observer);
            }
            let cost = |x: i32, y: i32| {
                let leap = Cost::octile(x.abs_diff(from.x), y.abs_diff(from.y));
                u64::from(from.cost) + u64::from(leap.units())
            };
            for index in list.edges() {
                let slot = self.cache.edges[index];
                if !self.reach(ground, number, slot, cost) {
                    return End::GiveUp;
                }
            }
        }
        End::GiveUp // Never on ground where both ends hang together.
    }

    /// True if what looks the same from above is the same: floors of other ranks lie apart.
    #[cold]
    fn is_same_floor(&self, ground: &Ground, from: &SeenPlace) -> bool {
        ground.rank(self.place(from.slot).node) == ground.rank(self.query.goal)
    }

    /// What the rest of the way costs at least from a place at (x, y); `None` if no cheapest way
    /// leads there.
    #[inline]
    pub(super) fn rest(&mut self, ground: &Ground, slot: u32, x: i32, y: i32) -> Option<u32> {
        let straight = self.aim.rest(x, y);
        if !self.uses_tree {
            return Some(straight);
        }
        let area = match self.areas.get((slot >> 3) as usize) {
            Some(&area) if area != NONE => area,
            _ => self.find_area(ground, slot),
        };
        // From where the goal is seen, the estimate must be that of the straight way.
        Some(self.tree.rest(area, x, y)?.max(straight))
    }

    #[inline(never)]
    fn find_area(&mut self, ground: &Ground, slot: u32) -> u32 {
        let area = self.tree.area(ground, self.place(slot).node);
        let place = (slot >> 3) as usize;
        if place < self.cache.places.len() {
            if place >= self.areas.len() {
                self.areas.resize(self.cache.places.len(), NONE);
            }
            self.areas[place] = area;
        }
        area
    }

    /// The goal is seen from place `number`, or is that place.
    fn arrive(&self, ground: &Ground, number: u32, observer: &mut impl Observer) -> End {
        if is_active(observer) {
            let last = self.seen[number as usize];
            observer.notice(SearchEvent::Reached {
                at: At::Cell(ground.cell(self.query.goal)),
                cost: Cost::from_units(last.cost + self.aim.rest(last.x, last.y)),
            });
        }
        End::Goal(number)
    }

    /// Looks around from a place, and keeps what was seen if there is room, and that was done once
    /// before or most else is known. False if only single steps lead on from there.
    fn look_around(&mut self, ground: &Ground, from: &SeenPlace, is_rare: bool) -> bool {
        let place = *self.place(from.slot);
        let arrival = (from.slot & 7) as usize;
        let directions = *place.directions.get(arrival).unwrap_or(&EVERYWHERE);
        if !self.full && self.cache.is_full(self.list_cap()) {
            self.full = true;
        }
        let is_plain = self
            .draft
            .make(ground, (place.node, place.x, place.y), directions);
        let is_guest = from.slot >> 3 >= GUEST;
        let mut is_kept = is_plain && !is_guest;
        self.edges.clear();
        for index in 0..self.draft.sights.len() {
            let sight = self.draft.sights[index];
            let place = self.enter(&sight);
            is_kept &= place < GUEST;
            self.edges.push(place << 3 | u32::from(sight.arrival));
        }
        if is_plain && !is_guest && (self.cache.look(from.slot) || is_rare) {
            if is_kept && !self.full {
                self.cache.keep(from.slot, &self.draft, &self.edges);
            } else {
                self.n_turned_away += 1;
            }
        }
        is_plain
    }

    /// The number of a place that was seen.
    fn enter(&mut self, sight: &Sight) -> u32 {
        if let Some(known) = self.cache.see(sight) {
            return known;
        }
        if self.full || sight.arrival == BY_STEP {
            return self.guests.see(sight) | GUEST;
        }
        let number = self.cache.enter(sight);
        if let Some(guest) = self.guests.find(sight.node) {
            let seen = self.guests.at(guest).number;
            if seen != NONE {
                self.mark(number, seen);
            }
        }
        number
    }

    /// Notes a place that was come to; `cost` tells what that costs, given where it is. False if a
    /// cost does not fit.
    #[inline]
    fn reach(
        &mut self,
        ground: &Ground,
        parent: u32,
        slot: u32,
        cost: impl Fn(i32, i32) -> u64,
    ) -> bool {
        let place = slot >> 3;
        let seen = match self.marks.get(place as usize) {
            Some(&(stamp, number)) if stamp == self.stamp => number,
            _ if place < GUEST => NONE,
            _ => self.guests.at(place - GUEST).number,
        };
        let (number, total) = if let Some(known) = self.seen.get_mut(seen as usize) {
            let cost = cost(known.x, known.y);
            if u64::from(known.cost) <= cost {
                return true;
            }
            let rest = known.total - known.cost;
            #[expect(clippy::cast_possible_truncation, reason = "less than what is known")]
            let cost = cost as u32;
            known.cost = cost;
            known.total = cost + rest;
            known.parent = parent;
            known.slot = slot;
            (seen, known.total)
        } else {
            if seen == ASIDE {
                return true;
            }
            let at = self.place(slot);
            let (x, y) = (at.x, at.y);
            let cost = cost(x, y);
            let Some(rest) = self.rest(ground, slot, x, y) else {
                if place < GUEST {
                    self.mark(place, ASIDE);
                }
                return true;
            };
            let Ok(total) = u32::try_from(cost + self.aim.weigh(rest)) else {
                return false;
            };
            #[expect(clippy::cast_possible_truncation, reason = "less than the total")]
            let cost = cost as u32;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "there are fewer places than cells"
            )]
            let number = self.seen.len() as u32;
            self.seen.push(SeenPlace {
                x,
                y,
                cost,
                total,
                parent,
                slot,
            });
            if place < GUEST {
                self.mark(place, number);
            } else {
                self.guests.at_mut(place - GUEST).number = number;
            }
            (number, total)
        };
        self.open.push(total, number);
        self.spent.pushes += 1;
        true
    }

    #[inline]
    fn mark(&mut self, place: u32, number: u32) {
        let place = place as usize;
        if place >= self.marks.len() {
            self.marks
                .resize(self.cache.places.len().max(place + 1), (0, 0));
        }
        self.marks[place] = (self.stamp, number);
    }

    #[cold]
    fn tell(&self, ground: &Ground, from: &SeenPlace, observer: &mut impl Observer) {
        observer.notice(SearchEvent::Expanded {
            at: At::Cell(ground.cell(self.place(from.slot).node)),
            cost: Cost::from_units(from.cost),
        });
    }
}

/// Whether events need to be made for `observer`.
const fn is_active<O: Observer>(_observer: &O) -> bool {
    O::ACTIVE
}
