//! One-way links of streamed worlds against one world that holds everything.

use wayfarer_engine::base::Rng;

use super::super::{
    MemoryStore, StreamError, StreamedLayout, StreamedWorld, TileDraft, TileId, TileSource,
};
use super::at;
use crate::prelude::*;
use crate::streaming::layout::Grid;
use crate::{LinkDirection, LinkId, LinkState, NavLinkKind};

/// Rooms of 11 x 11 cells between walls: nothing but links connects them.
#[derive(Clone, Copy, Debug)]
struct Rooms;

impl TileSource for Rooms {
    fn draw(&self, draft: &mut TileDraft) {
        let ((x, y), (width, height)) = (draft.first_cell(), draft.n_cells());
        // A corridor along the middle crosses all borders from west to east.
        let is_open = |x: i32, y: i32| (x % 12 != 0 && y % 12 != 0) || y == 54;
        for y in y..y + height.cast_signed() {
            let row = (x..x + width.cast_signed()).map(|x| is_open(x, y));
            draft.set_row((x, y), row.map(|open| open.then_some(Terrain::GROUND)));
        }
    }
}

fn layout() -> StreamedLayout {
    let corner = |x, y| Position::new(x, y, 0.0);
    StreamedLayout {
        tile_cells: 48,
        ..StreamedLayout::new(Scale::UNIT, corner(0.0, 0.0), corner(144.0, 96.0))
    }
}

fn rooms() -> StreamedWorld {
    let store = Box::new(MemoryStore::default());
    let mut world = StreamedWorld::create(&layout(), Box::new(Rooms), store, 1).unwrap();
    world.set_memory_limit(0).unwrap();
    world
}

fn one_way(from: Position, to: Position) -> Edit {
    Edit::add_link(NavLink {
        direction: LinkDirection::OneWay,
        ..NavLink::new(from, to, NavLinkKind::Drop)
    })
}

const WALKER: AgentTypeId = AgentTypeId::DEFAULT;

#[test]
fn a_one_way_link_leads_one_way_across_tiles() {
    let mut world = rooms();
    // From a room of the first tile into the corridor, and out of it into a room of the last.
    let (room, far_room) = (at(5, 65), at(137, 65));
    let links = [
        one_way(at(6, 66), at(20, 54)),
        one_way(at(120, 54), at(138, 66)),
    ];
    let links = world.apply(&links).unwrap().new_links().to_vec();
    assert!(world.loaded_tiles().len() <= 1);
    assert_eq!(world.is_connected(WALKER, room, far_room), Ok(Some(true)));
    assert_eq!(world.is_connected(WALKER, far_room, room), Ok(Some(false)));
    let back = world.find_path(WALKER, far_room, room);
    assert_eq!(back, Err(StreamError::NoPath(NoPath::Unreachable)));
    let mut path = world.find_path(WALKER, room, far_room).unwrap();
    let tiles: Vec<i32> = path.tiles().iter().map(|tile: &TileId| tile.x).collect();
    assert_eq!(tiles, [0, 0, 1, 2, 2]);
    let mut searcher = Searcher::default();
    let mut end = room;
    while let Some(leg) = world.next_leg(&mut searcher, &mut path).unwrap() {
        assert_eq!(leg.start(), Some(end));
        end = leg.end().unwrap();
    }
    assert_eq!(end, far_room);
    let closed = Edit::set_link_state(links[0], LinkState::Closed);
    world.apply(&[closed]).unwrap();
    assert_eq!(world.is_connected(WALKER, room, far_room), Ok(Some(false)));
    assert_eq!(
        world.is_connected(WALKER, at(20, 54), far_room),
        Ok(Some(true))
    );
}

/// Random links between rooms, one-way and in both directions, added and removed.
#[test]
fn directed_reachability_is_that_of_the_whole_world() {
    let mut streamed = rooms();
    let grid = Grid::new(&layout()).unwrap();
    let mut draft = TileDraft::new(grid.template.frame(), grid.columns());
    Rooms.draw(&mut draft);
    let mut whole = draft.build(&grid).unwrap();
    let mut rng = Rng::new(7);
    let mut place = |tile: (i32, i32)| {
        let mut coordinate = |first: i32| {
            let (room, cell) = (rng.below(4).cast_signed(), rng.below(11).cast_signed());
            first * 48 + room * 12 + cell + 1
        };
        at(coordinate(tile.0), coordinate(tile.1))
    };
    let mut links: Vec<(LinkId, LinkId)> = Vec::new();
    let mut searcher = Searcher::default();
    let (mut n_found, mut n_one_way) = (0, 0);
    for round in 0..160_i32 {
        let tile = (round % 3, round / 3 % 2);
        let direction = match round % 4 {
            0 => LinkDirection::Bidirectional,
            _ => LinkDirection::OneWay,
        };
        let link = Edit::add_link(NavLink {
            direction,
            ..NavLink::new(place(tile), place(tile), NavLinkKind::Teleport)
        });
        let batch = [link];
        let added = (streamed.apply(&batch), whole.apply(&batch));
        if let (Ok(ours), Ok(whole)) = &added {
            links.push((ours.new_links()[0], whole.new_links().next().unwrap()));
        }
        if round % 5 == 0 && links.len() > 20 {
            let (ours, in_whole) = links.swap_remove(round.unsigned_abs() as usize % 20);
            streamed.apply(&[Edit::remove_link(ours)]).unwrap();
            whole.apply(&[Edit::remove_link(in_whole)]).unwrap();
        }
        for number in 0..3 {
            let ends = (place((number, 0)), place((round % 3, number % 2)));
            for (from, to) in [ends, (ends.1, ends.0)] {
                let request = PathRequest::new(from, to);
                let found = whole.find_path(&mut searcher, &request).is_ok();
                let connected = streamed.is_connected(WALKER, from, to).unwrap();
                assert_eq!(connected, Some(found), "{round}: {from} {to}");
                assert_eq!(streamed.find_path(WALKER, from, to).is_ok(), found);
                n_found += usize::from(found);
                let is_weak = whole.is_connected(WALKER, from, to) == Some(true);
                n_one_way += usize::from(is_weak && !found);
            }
        }
    }
    assert!(n_found > 50 && n_one_way > 15, "{n_found} {n_one_way}");
}
