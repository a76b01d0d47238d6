//! Edits by handle, and bodies.

use wayfarer::{
    Area, AreaShape, Body, BodyFilter, BodyShape, CostArea, CostAreaId, Edit, Footprint,
    LinkDirection, LinkId, LinkState, NavLink, NavLinkKind, Position, Solid, SolidId, ThinWall,
    WorldChanges,
};
use wayfarer_engine::base::{
    Cell, Column, Cost, CostModifier, CostMultiplier, Fixed, GroundEdit, GroundSolid, NavLinkId,
    Point2, Rect, Shape, SolidExtent, Wall, WallSide,
};

use super::Game;
use super::model::Model;
use super::source::Source;

/// What an edit does to the model.
enum ModelChange {
    Ground(Vec<GroundEdit>),
    AddSolid(GroundSolid),
    RemoveSolid(SolidId),
    AddLink(wayfarer_engine::base::NavLink),
    RemoveLink(LinkId),
    SetLink(LinkId, LinkState),
    AddCostArea(CostModifier),
    RemoveCostArea(CostAreaId),
    /// It is refused.
    Refused,
}

impl Game {
    pub(super) fn edit(&mut self, source: &mut Source<'_>) {
        let mut edits = Vec::new();
        let mut model_changes = Vec::new();
        for _ in 0..1 + source.below(3) {
            let Some((edit, model_change)) = self.any_edit(source) else {
                return;
            };
            edits.push(edit);
            model_changes.push(model_change);
        }
        let before = self.world.save();
        let applied = self.world.apply(&edits);
        let is_refused = model_changes
            .iter()
            .any(|model_change| matches!(model_change, ModelChange::Refused));
        let changes = match applied {
            Ok(changes) if !is_refused => changes,
            Ok(_) => panic!("an unknown id was accepted: {edits:?}"),
            Err(error) => {
                assert!(self.world.save() == before, "all or nothing: {error}");
                assert!(
                    is_refused || has_conflict(&model_changes, &self.model),
                    "{error}: {edits:?}"
                );
                return;
            }
        };
        assert!(!has_conflict(&model_changes, &self.model), "{edits:?}");
        if source.below(4) == 0 {
            let canonical = wayfarer::World::load(&before).unwrap();
            let canonical = canonical.engine().canonical();
            self.world.apply(&changes.inverse()).unwrap();
            assert_eq!(self.world.engine().canonical(), canonical, "undone");
        } else {
            self.model.take(model_changes, &changes);
        }
        self.model.check_handles(&self.world);
    }

    fn any_edit(&self, source: &mut Source<'_>) -> Option<(Edit, ModelChange)> {
        let model = &self.model;
        Some(match source.below(14) {
            0..2 => {
                let (low, high, [a, b]) = model.any_box(source);
                let top = source.terrain();
                let extent = SolidExtent::Box {
                    rect: Rect::around(a.column(), b.column()),
                    bottom: a.z,
                    top: b.z,
                };
                let solid = Solid::cuboid(low, high).with_top(top);
                let model_change = ModelChange::AddSolid(GroundSolid { extent, top });
                (Edit::add_solid(solid), model_change)
            }
            2 => {
                let id = source.pick(&handles(&model.solids, &model.gone.solids));
                let id = id.unwrap_or(SolidId(u64::MAX));
                let model_change = match model.solids.contains(&id) {
                    true => ModelChange::RemoveSolid(id),
                    false => ModelChange::Refused,
                };
                (Edit::remove_solid(id), model_change)
            }
            3 | 4 => {
                let (low, high, [a, b]) = model.any_box(source);
                let terrain = source.terrain();
                let rect = Rect::around(a.column(), b.column());
                let (bottom, top) = (a.z, b.z);
                match source.below(2) {
                    0 => (
                        Edit::fill(low, high, terrain),
                        ModelChange::Ground(vec![GroundEdit::FillBox {
                            rect,
                            bottom,
                            top,
                            terrain,
                        }]),
                    ),
                    _ => {
                        let terrain = (source.below(2) == 0).then_some(terrain);
                        let edit = Edit::carve(low, high, terrain);
                        let model_change = GroundEdit::CarveBox {
                            rect,
                            bottom,
                            top,
                            terrain,
                        };
                        (edit, ModelChange::Ground(vec![model_change]))
                    }
                }
            }
            5 | 6 => {
                let (area, shape) = model.any_area(source);
                let (z, terrain) = (source.below(5), source.terrain());
                let height = f64::from(z) * model.scale.step;
                let model_change =
                    ModelChange::Ground(vec![GroundEdit::Fill { shape, z, terrain }]);
                (Edit::add_floors(area, height, terrain), model_change)
            }
            7 => {
                let (mut area, shape) = model.any_area(source);
                let heights = (source.below(3), 2 + source.below(3));
                let height = |z: i32| f64::from(z) * model.scale.step;
                area.heights = Some((height(heights.0), height(heights.1)));
                let model_change = ModelChange::Ground(vec![GroundEdit::Clear { shape, heights }]);
                (Edit::remove_floors(area), model_change)
            }
            8 => model.any_wall(source),
            9 => model.any_link(source)?,
            10 => {
                let id = source.pick(&handles(model.links.keys(), &model.gone.links))?;
                let states = [LinkState::Open, LinkState::Closed, LinkState::Locked(2)];
                let state = states[source.below(3).unsigned_abs() as usize];
                let is_known = model.links.contains_key(&id);
                match (source.below(2), is_known) {
                    (0, true) => (Edit::remove_link(id), ModelChange::RemoveLink(id)),
                    (0, false) => (Edit::remove_link(id), ModelChange::Refused),
                    (_, true) => (
                        Edit::set_link_state(id, state),
                        ModelChange::SetLink(id, state),
                    ),
                    (_, false) => (Edit::set_link_state(id, state), ModelChange::Refused),
                }
            }
            11 | 12 => {
                let (area, shape) = model.any_area(source);
                let sixteenths = 16 + source.below(64);
                let modifier = CostModifier {
                    shape,
                    heights: (i32::MIN, i32::MAX),
                    multiplier: CostMultiplier::from_sixteenths(u16::try_from(sixteenths).unwrap())
                        .unwrap(),
                };
                let multiplier = f64::from(sixteenths) / 16.0;
                let edit = Edit::add_cost_area(CostArea { area, multiplier });
                (edit, ModelChange::AddCostArea(modifier))
            }
            _ => {
                let id = source.pick(&handles(&model.cost_areas, &model.gone.cost_areas))?;
                let model_change = match model.cost_areas.contains(&id) {
                    true => ModelChange::RemoveCostArea(id),
                    false => ModelChange::Refused,
                };
                (Edit::remove_cost_area(id), model_change)
            }
        })
    }
}

/// Handles that exist, then some that do not.
fn handles<'a, I: Copy + 'a>(known: impl IntoIterator<Item = &'a I>, gone: &'a [I]) -> Vec<I> {
    let gone = gone.iter().rev().take(2);
    known.into_iter().chain(gone).copied().collect()
}

/// True if edits of one batch contradict each other, so that it is refused.
fn has_conflict(model_changes: &[ModelChange], model: &Model) -> bool {
    let mut model = model.clone();
    model_changes.iter().any(|model_change| match model_change {
        ModelChange::Ground(_) | ModelChange::AddSolid(_) | ModelChange::AddCostArea(_) => false,
        ModelChange::RemoveSolid(id) => !model.solids.remove(id),
        ModelChange::RemoveCostArea(id) => !model.cost_areas.remove(id),
        ModelChange::RemoveLink(id) => model.links.remove(id).is_none(),
        ModelChange::SetLink(id, _) => !model.links.contains_key(id),
        ModelChange::AddLink(link) => {
            let key = NavLinkId::from(link);
            let is_taken = model.links.values().any(|known| *known == key);
            let is_repeated = model_changes.iter().filter(
                |other| matches!(other, ModelChange::AddLink(other) if NavLinkId::from(other) == key),
            );
            is_taken || is_repeated.count() > 1
        }
        ModelChange::Refused => true,
    })
}

impl Model {
    /// Takes over the changes of an accepted batch.
    fn take(&mut self, model_changes: Vec<ModelChange>, changes: &WorldChanges) {
        let mut new_solids = changes.new_solids();
        let mut new_links = changes.new_links();
        let mut new_areas = changes.new_cost_areas();
        for model_change in model_changes {
            let edits = match model_change {
                ModelChange::Ground(edits) => edits,
                ModelChange::AddSolid(solid) => {
                    let id = new_solids.next().unwrap();
                    assert!(self.solids.insert(id), "{id:?} is reused");
                    vec![GroundEdit::PutSolid { id, solid }]
                }
                ModelChange::RemoveSolid(id) => {
                    self.solids.remove(&id);
                    self.gone.solids.push(id);
                    vec![GroundEdit::RemoveSolid(id)]
                }
                ModelChange::AddLink(link) => {
                    let id = new_links.next().unwrap();
                    let before = self.links.insert(id, NavLinkId::from(&link));
                    assert!(before.is_none() && !self.gone.links.contains(&id), "{id:?}");
                    vec![GroundEdit::PutNavLink(link)]
                }
                ModelChange::RemoveLink(id) => {
                    self.gone.links.push(id);
                    let link = self.links.remove(&id).unwrap();
                    vec![GroundEdit::RemoveNavLink(link)]
                }
                ModelChange::SetLink(id, state) => {
                    let nav_link = self.links[&id];
                    vec![GroundEdit::SetNavLinkState { nav_link, state }]
                }
                ModelChange::AddCostArea(modifier) => {
                    let area = new_areas.next().unwrap();
                    assert!(self.cost_areas.insert(area), "{area:?} is reused");
                    let id = self.modifier_id(area);
                    vec![GroundEdit::PutCostModifier { id, modifier }]
                }
                ModelChange::RemoveCostArea(area) => {
                    self.cost_areas.remove(&area);
                    self.gone.cost_areas.push(area);
                    vec![GroundEdit::RemoveCostModifier(self.modifier_id(area))]
                }
                ModelChange::Refused => unreachable!("the batch was accepted"),
            };
            self.ground.apply(&edits);
        }
    }

    /// A box on whole cells: its corners, the lowest cell, and the last column at its top.
    fn any_box(&self, source: &mut Source<'_>) -> (Position, Position, [Cell; 2]) {
        let a = Cell::new(
            source.below(16) - 2,
            source.below(16) - 2,
            source.below(6) - 2,
        );
        let size = [
            1 + source.below(5),
            1 + source.below(5),
            1 + source.below(4),
        ];
        let b = Cell::new(a.x + size[0] - 1, a.y + size[1] - 1, a.z + size[2]);
        let [x, y, z] = [a.x, a.y, a.z].map(f64::from);
        let high = [b.x + 1, b.y + 1, b.z].map(f64::from);
        (self.at(x, y, z), self.at(high[0], high[1], high[2]), [a, b])
    }

    /// An area and the engine's shape of it; coordinates are quarters of cells.
    fn any_area(&self, source: &mut Source<'_>) -> (Area, Shape) {
        let quarters = |source: &mut Source<'_>| source.below(70) - 6;
        let (x, y) = (quarters(source), quarters(source));
        let at = |x: i32, y: i32| self.at(f64::from(x) / 4.0, f64::from(y) / 4.0, 0.0);
        let raw = |at: i32| Fixed::from_raw(at * 64);
        let point = |x: i32, y: i32| Point2::new(raw(x), raw(y));
        let length = |quarters: i32| f64::from(quarters) / 4.0 * self.scale.cell;
        let (shape, engine) = match source.below(4) {
            0 => {
                let (x, y) = (x / 4, y / 4);
                let (width, depth) = (1 + source.below(8), 1 + source.below(8));
                let last = Column::new(x + width - 1, y + depth - 1);
                let low = at(4 * x, 4 * y);
                let high = at(4 * (x + width), 4 * (y + depth));
                let rect = Rect::around(Column::new(x, y), last);
                (AreaShape::Rect { low, high }, Shape::Box(rect))
            }
            1 => {
                let radius = source.below(20);
                let shape = AreaShape::Disc {
                    center: at(x, y),
                    radius: length(radius),
                };
                let (center, radius) = (point(x, y), raw(radius));
                (shape, Shape::Circle { center, radius })
            }
            2 => {
                let (to_x, to_y) = (quarters(source), quarters(source));
                let radius = source.below(12);
                let (from, to) = (at(x, y), at(to_x, to_y));
                let shape = AreaShape::Capsule {
                    from,
                    to,
                    radius: length(radius),
                };
                let (from, to, radius) = (point(x, y), point(to_x, to_y), raw(radius));
                (shape, Shape::Segment { from, to, radius })
            }
            _ => {
                let n = 3 + source.below(5);
                let corners: Vec<_> = (0..n)
                    .map(|_| (quarters(source), quarters(source)))
                    .collect();
                let shape = AreaShape::Polygon(corners.iter().map(|(x, y)| at(*x, *y)).collect());
                let corners = corners.iter().map(|(x, y)| point(*x, *y)).collect();
                (shape, Shape::Polygon(corners))
            }
        };
        let heights = None;
        (Area { shape, heights }, engine)
    }

    fn any_wall(&self, source: &mut Source<'_>) -> (Edit, ModelChange) {
        let (x, y, z) = (source.below(16), source.below(16), source.below(3));
        let length = 1 + source.below(6);
        let is_south = source.below(2) == 0;
        let (to_x, to_y) = if is_south {
            (x + length, y)
        } else {
            (x, y + length)
        };
        let at = |x: i32, y: i32| self.at(f64::from(x), f64::from(y), f64::from(z));
        let wall = ThinWall {
            from: at(x, y),
            to: at(to_x, to_y),
        };
        let walls = (0..length).map(|n| match is_south {
            true => Wall {
                cell: Cell::new(x + n, y - 1, z),
                side: WallSide::South,
            },
            false => Wall {
                cell: Cell::new(x - 1, y + n, z),
                side: WallSide::East,
            },
        });
        match source.below(3) {
            0 => (
                Edit::remove_wall(wall),
                ModelChange::Ground(walls.map(GroundEdit::RemoveWall).collect()),
            ),
            _ => (
                Edit::add_wall(wall),
                ModelChange::Ground(walls.map(GroundEdit::PutWall).collect()),
            ),
        }
    }

    fn any_link(&self, source: &mut Source<'_>) -> Option<(Edit, ModelChange)> {
        let from = self.any_cell(source)?;
        let to = self.any_cell(source).filter(|to| *to != from)?;
        let kinds = [NavLinkKind::Stairs, NavLinkKind::Door, NavLinkKind::Drop];
        let kind = kinds[source.below(3).unsigned_abs() as usize];
        let directions = [LinkDirection::Bidirectional, LinkDirection::OneWay];
        let quarters = source.below(20);
        let cells = f64::from(quarters) / 4.0;
        let link = NavLink {
            direction: directions[source.below(2).unsigned_abs() as usize],
            cost: (quarters > 0).then_some(cells * self.scale.cell),
            ..NavLink::new(self.center(from), self.center(to), kind)
        };
        let cost = match quarters {
            0 => Cost::octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y)),
            _ => Cost::from_cells(cells),
        };
        let engine = wayfarer_engine::base::NavLink {
            from,
            to,
            kind,
            direction: link.direction,
            cost: cost.max(Cost::from_units(1)),
            state: LinkState::Open,
        };
        Some((Edit::add_link(link), ModelChange::AddLink(engine)))
    }
}

impl Game {
    /// A solid of any form leaves nothing behind when it is removed.
    pub(super) fn place_and_remove(&mut self, source: &mut Source<'_>) {
        let quarter = |source: &mut Source<'_>| f64::from(source.below(64)) / 4.0;
        let base = self.model.quarter_position(source);
        let size = self.model.scale.cell;
        let solid = match source.below(3) {
            0 => Solid::cylinder(base, quarter(source) / 4.0 * size, quarter(source) * size),
            1 => {
                let n = 3 + source.below(5);
                let corners: Vec<_> = (0..n)
                    .map(|_| self.model.quarter_position(source))
                    .collect();
                Solid::prism(corners, quarter(source) * size)
            }
            _ => source.hostile_solid(),
        };
        let before = self.world.engine().canonical();
        let undone = match self.world.add_solid(solid) {
            Ok((id, changes)) if source.below(2) == 0 => {
                self.world.remove_solid(id).unwrap();
                assert!(self.world.remove_solid(id).is_err());
                self.model.gone.solids.extend(changes.new_solids());
                true
            }
            Ok((id, changes)) => {
                self.world.apply(&changes.inverse()).unwrap();
                assert!(self.world.remove_solid(id).is_err());
                true
            }
            Err(_) => false,
        };
        assert_eq!(self.world.engine().canonical(), before, "undone: {undone}");
    }

    /// An edit with hostile numbers; true if it is refused.
    pub(super) fn hostile_edit(&mut self, source: &mut Source<'_>) -> bool {
        let (low, high) = (source.hostile_position(), source.hostile_position());
        let terrain = source.terrain();
        let edit = match source.below(7) {
            0 => Edit::fill(low, high, terrain),
            1 => Edit::carve(low, high, Some(terrain)),
            2 => Edit::add_floors(source.hostile_area(), source.hostile(), terrain),
            3 => Edit::remove_floors(source.hostile_area()),
            4 => Edit::add_wall(ThinWall {
                from: low,
                to: high,
            }),
            5 => {
                let cost = Some(source.hostile());
                Edit::add_link(NavLink {
                    cost,
                    ..NavLink::new(low, high, NavLinkKind::Jump)
                })
            }
            _ => {
                let (area, multiplier) = (source.hostile_area(), source.hostile());
                Edit::add_cost_area(CostArea { area, multiplier })
            }
        };
        self.world.apply(&[edit]).is_err()
    }

    pub(super) fn edit_bodies(&mut self, source: &mut Source<'_>) {
        let position = self.model.quarter_position(source);
        let size =
            |source: &mut Source<'_>| f64::from(source.below(12)) / 4.0 * self.model.scale.cell;
        let number = usize::try_from(source.below(64)).unwrap();
        match source.below(4) {
            0 | 1 if self.model.bodies.len() < 20 => {
                let shape = match source.below(3) {
                    0 => BodyShape::Point,
                    1 => BodyShape::disc(size(source)),
                    _ => BodyShape::cuboid(size(source), size(source)),
                };
                // A shape without extent is a point.
                let shape = match shape {
                    BodyShape::Disc { radius: 0.0 }
                    | BodyShape::Cuboid {
                        half_x: 0.0,
                        half_y: 0.0,
                    } => BodyShape::Point,
                    shape => shape,
                };
                let blocks_movement = source.below(2) == 0;
                let body = Body {
                    position,
                    shape,
                    blocks_movement,
                    ..Body::default()
                };
                let id = self.world.add_body(body).unwrap();
                self.model.bodies.push((id, body));
                self.model.bodies.sort_by_key(|(id, _)| *id);
            }
            2 if !self.model.bodies.is_empty() => {
                let number = number % self.model.bodies.len();
                let (id, _) = self.model.bodies.remove(number);
                self.world.remove_body(id).unwrap();
                assert!(self.world.body(id).is_err());
            }
            _ if !self.model.bodies.is_empty() => {
                let number = number % self.model.bodies.len();
                let (id, body) = &mut self.model.bodies[number];
                body.position = position;
                match source.below(2) {
                    0 => self.world.move_bodies(&[(*id, position)]).unwrap(),
                    _ => self.world.teleport(*id, position).unwrap(),
                }
            }
            _ => {}
        }
        for (id, body) in &self.model.bodies {
            assert_eq!(self.world.body(*id).unwrap(), *body);
        }
    }

    pub(super) fn query_bodies(&self, source: &mut Source<'_>) {
        let at = self.model.quarter_position(source);
        let radius = f64::from(source.below(40)) / 4.0 * self.model.scale.cell;
        let found = self
            .world
            .bodies_in(&Footprint::disc(at, radius), BodyFilter::ALL);
        assert_eq!(found.unwrap(), self.model.bodies_within(at, radius));
    }
}
