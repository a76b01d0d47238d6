//! Tiles built by workers of a cluster, one of which is killed, against a build on one machine.

use std::time::Duration;

use tokio::time::sleep;
use wayfarer::streaming::{
    CitySource, MemoryStore, StreamedLayout, StreamedWorld, TilePlan, TileSource,
};
use wayfarer::{Position, Scale};
use wayfarer_cluster::BakeOrder;
use wayfarer_cluster::nats::{Settings, bake};

use crate::servers::{Cluster, Fault};

/// Side of the city.
const SIDE: u32 = 2_048;

/// Has two workers build a city; returns its number of tiles.
pub(crate) async fn play(cluster: &Cluster, settings: &Settings) -> Result<usize, Fault> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let high = Position::new(f64::from(SIDE), f64::from(SIDE), 0.0);
    let layout = StreamedLayout {
        tile_cells: 128,
        ..StreamedLayout::new(Scale::UNIT, Position::new(0.0, 0.0, 0.0), high)
    };
    let plan = TilePlan::new(&layout).map_err(|error| text(&error))?;
    let n_tiles = plan.tiles().len();
    let source = format!("city:{SIDE}:5");
    let order = BakeOrder { plan, source };
    let mut workers = cluster.bake_workers();
    for worker in &mut workers {
        worker.start()?;
    }
    let settings = settings.clone();
    let built = tokio::task::spawn_blocking(move || {
        bake(&settings, &order, Box::new(MemoryStore::default()))
    });
    sleep(Duration::from_millis(700)).await;
    workers[0].kill()?;
    sleep(Duration::from_millis(300)).await;
    workers[0].start()?;
    let built = built.await.map_err(|error| text(&error))?;
    let mut built = built.map_err(|error| text(&error))?;
    for worker in &mut workers {
        worker.signal("-TERM")?;
        match worker.ended(Duration::from_secs(20)).await {
            Some(0) => {}
            other => return Err(format!("{} ended with {other:?}", worker.name)),
        }
    }
    let city: Box<dyn TileSource> =
        Box::new(CitySource::new(SIDE, 5).map_err(|error| text(&error))?);
    let store = Box::new(MemoryStore::default());
    let alone = StreamedWorld::create(&layout, city, store, 2).map_err(|error| text(&error))?;
    if built.hash() != alone.hash() {
        return Err("the tiles of the cluster are not those of one machine".to_owned());
    }
    // The tiles are all there, and fit what the graph says of them.
    for tile in TilePlan::new(&layout)
        .map_err(|error| text(&error))?
        .tiles()
    {
        built.load_tile(tile).map_err(|error| text(&error))?;
    }
    Ok(n_tiles)
}
