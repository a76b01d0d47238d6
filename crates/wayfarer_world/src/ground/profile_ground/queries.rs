//! Single questions about the ground as another agent finds it: steps, cost multipliers, places.

use wayfarer_base::{Cell, Column, CostMultiplier, Direction, Rect, SectorId};

use super::{ProfileGround, neighbors};
use crate::ground::bitboard;
use crate::ground::lookup::RegionId;
use crate::ground::node::NodeId;
use crate::ground::page::local_of;
use crate::ground::{Ground, sheet::Sheet};

impl<'a> ProfileGround<'a> {
    /// The ground that is all_crossings.
    pub fn ground(self) -> &'a Ground {
        self.ground
    }

    /// Where the agent gets from a cell in which it stands in one of the eight directions,
    /// nav links left aside; `None` if it cannot go there.
    ///
    /// ```
    /// use wayfarer_base::{Cell, Direction, Fixed, Profile, Raster};
    /// use wayfarer_world::ground::Ground;
    ///
    /// let mut ground = Ground::from_raster(&Raster::from_bytes(4, 3, vec![0; 12]).unwrap());
    /// let ogre = Profile { radius: Fixed::from_raw(256), ..Profile::DEFAULT };
    /// let ogre = ground.register(ogre).unwrap();
    /// let data = ground.data(ogre).unwrap();
    /// let west = data.node(Cell::flat(1, 1)).unwrap();
    /// assert_eq!(data.neighbors(west, Direction::East), data.node(Cell::flat(2, 1)));
    /// assert_eq!(data.neighbors(west, Direction::North), None); // too near to the rim
    /// ```
    pub fn neighbor(self, node: NodeId, direction: Direction) -> Option<NodeId> {
        let sheet = self.data.sheet(node.page(), node.position())?;
        if !sheet.is_walkable(node.local()) {
            return None;
        }
        if sheet.is_uniform() {
            let legal = sheet.moves(node.local()) >> direction.index() & 1 == 1;
            return legal.then(|| neighbors::uniform_step(self.ground, node, direction));
        }
        let from = self.ground.cell(node);
        neighbors::walk(self.ground, self.data, node, from, direction)
    }

    /// What a cell costs the agent: its terrain and the effects that lie on it.
    pub fn cost_multiplier(self, node: NodeId) -> CostMultiplier {
        neighbors::cost_multiplier(self.ground, self.data, node)
    }

    /// The region of a cell in which the agent can stand, among the regions of this view: they
    /// are counted apart from the ground's. Valid until the next edit.
    pub fn region(self, node: NodeId) -> Option<RegionId> {
        let sheet = self.data.sheet(node.page(), node.position())?;
        Some(RegionId {
            page: node.page(),
            position: node.position(),
            ordinal: sheet.region_at(node.local())?,
        })
    }

    /// How regions columns away from the middle of a cell a floor can matter for standing there; 0
    /// for a body no wider than a cell.
    pub fn clearance_columns(self) -> u32 {
        let squares = self.data.disc.footprint.iter();
        squares.map(|(x, _)| x.unsigned_abs()).max().unwrap_or(0)
    }

    /// The floor of a column that is open to a point of the agent at a height: no more than its
    /// climb above and its drop below, the nearest. The agent itself may be too wide for it.
    pub fn floor_at(self, column: Column, z: i32) -> Option<NodeId> {
        let found = neighbors::over(self.ground, self.data, column.at(z), (0, 0));
        found.map(|(node, _)| node)
    }

    /// The cell of a column in which the agent can stand whose floor is nearest to height `z`; of
    /// two the lower.
    pub fn project_to_floor(self, column: Column, z: i32) -> Option<NodeId> {
        let local = local_of(column);
        let standing = |page: u32, sheet: &Sheet| {
            let node = NodeId::new(page, sheet.position, local);
            self.data
                .is_walkable(node)
                .then(|| (node, sheet.height(local)))
        };
        self.ground
            .sheets_at(SectorId::from_column(column))
            .filter_map(|(page, sheet)| standing(page, sheet))
            .min_by_key(|(_, height)| (height.abs_diff(z), *height))
            .map(|(node, _)| node)
    }

    /// Calls `visit` with every cell of a rectangle of columns in which the agent can stand,
    /// sector by sector. The rectangle may be far larger than the ground; only then memory is asked
    /// for.
    pub fn for_each_walkable_in(self, rect: Rect, mut visit: impl FnMut(NodeId)) {
        self.ground.for_sectors_in(rect, |sector| {
            let origin = sector.origin();
            for (page, sheet) in self.ground.sheets_at(sector) {
                let Some(stored) = self.data.sheet(page, sheet.position) else {
                    continue;
                };
                for local in bitboard::cells(&stored.walkable.board()) {
                    let at = Column::new(
                        origin.x + i32::from(local & 15),
                        origin.y + i32::from(local >> 4),
                    );
                    if rect.contains(at) {
                        visit(NodeId::new(page, sheet.position, local));
                    }
                }
            }
        });
    }

    /// What keeps the agent from standing in a cell; `None` if nothing does.
    pub fn blocked_reason(self, cell: Cell) -> Option<&'static str> {
        if self.node(cell).is_some() {
            return None;
        }
        let Some(terrain) = self.ground.terrain(cell) else {
            return Some("there is no floor");
        };
        if !self.data.profile.may_walk(terrain) {
            return Some("its terrain cannot be walked on");
        }
        let above = self.ground.floors(cell.column()).map(|(z, _)| z);
        let above = above.filter(|z| *z > cell.z).min();
        if !self.data.compiled.has_headroom(cell.z, above) {
            return Some("the next floor above leaves too little room");
        }
        Some("it is too narrow for the body")
    }
}
