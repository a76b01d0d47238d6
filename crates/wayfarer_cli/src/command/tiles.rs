//! `wayfarer tiles`: builds the tiles of a world larger than memory, here or on the workers of a cluster.

use std::path::PathBuf;

use clap::Args;
use wayfarer::streaming::{Assembly, StreamError, StreamedLayout, StreamedWorld, TileId, TilePlan};
use wayfarer::{Position, Scale};
use wayfarer_cluster::{BakeOrder, made_sources};
use wayfarer_store::TileDirectory;

use super::connection::Connection;
use crate::failure::{Failure, Verdict};
use crate::output::Output;

/// Build the tiles of a made city into a folder, here or on the workers of a cluster
///
/// The folder is a store that `wayfarer::streaming::StreamedWorld::open` reads without the generator. With --nats the tiles
/// are tasks of a queue, which any number of workers take; the world is equal to one built here.
#[derive(Args)]
#[command(after_help = "\
Examples:
  wayfarer tiles 4096 --seed 7 -o city
  wayfarer tiles --worker --nats nats://a:4222 --world city
  wayfarer tiles 65536 -o city --nats nats://a:4222 --world city

--nats needs a program built with the feature nats: cargo wayfarer-cluster tiles ...")]
pub(crate) struct Tiles {
    /// Side of the city in cells
    #[arg(required_unless_present = "worker", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    side: Option<u32>,
    /// Seed of the city
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cells along the side of a tile, a multiple of 16
    #[arg(long, value_name = "N", default_value_t = 512)]
    tile: u32,
    /// Folder for the tiles
    #[arg(short, long, value_name = "FOLDER", required_unless_present = "worker")]
    out: Option<PathBuf>,
    /// Threads that build; with --nats, the workers do
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    /// Build tiles for others, until it is ended
    #[arg(long, requires = "nats", conflicts_with_all = ["side", "out"])]
    worker: bool,
    #[command(flatten)]
    connection: Connection,
}

impl Tiles {
    pub(crate) fn run(&self) -> Result<Verdict, Failure> {
        let (Some(side), Some(out)) = (self.side, &self.out) else {
            return self.work();
        };
        let bad = |error: StreamError| Failure::BadInput(error.to_string());
        let high = Position::new(f64::from(side), f64::from(side), 0.0);
        let layout = StreamedLayout {
            tile_cells: self.tile,
            ..StreamedLayout::new(Scale::UNIT, Position::new(0.0, 0.0, 0.0), high)
        };
        let order = BakeOrder {
            plan: TilePlan::new(&layout).map_err(bad)?,
            source: format!("city:{side}:{}", self.seed),
        };
        let store = TileDirectory::new(out).map_err(|error| Failure::for_file(out, error))?;
        let world = if self.connection.is_none() {
            self.build(&order, store)?
        } else {
            self.order(&order, store)?
        };
        let (n_x, n_y) = world.n_tiles();
        let mut output = Output::default();
        output.line(format!("{n_x} x {n_y} tiles, hash {:016x}", world.hash()));
        output.finish()?;
        Ok(Verdict::Done)
    }

    /// Builds all tiles here, some of them at a time.
    fn build(&self, order: &BakeOrder, store: TileDirectory) -> Result<StreamedWorld, Failure> {
        let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
        let sources = made_sources();
        let mut assembly = Assembly::new(&order.plan, Box::new(store));
        let n_threads = usize::try_from(self.threads).unwrap_or(1);
        for tiles in order.plan.tiles().chunks(n_threads) {
            let baked: Vec<_> = std::thread::scope(|scope| {
                let build = |tile: &TileId| {
                    let (tile, sources) = (*tile, &sources);
                    scope.spawn(move || order.bake(sources, tile))
                };
                let threads: Vec<_> = tiles.iter().map(build).collect();
                let joined = threads.into_iter().map(|thread| thread.join());
                joined
                    .map(|one| one.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                    .collect()
            });
            for tile in baked {
                let tile = tile.map_err(|error| bad(&error))?;
                assembly.add(tile).map_err(|error| bad(&error))?;
            }
        }
        assembly.finish().map_err(|error| bad(&error))
    }

    /// Has the workers of a cluster build all tiles.
    #[cfg(feature = "nats")]
    fn order(&self, order: &BakeOrder, store: TileDirectory) -> Result<StreamedWorld, Failure> {
        let settings = self.connection.settings();
        let world = wayfarer_cluster::nats::bake(&settings, order, Box::new(store));
        world.map_err(|error| Failure::BadInput(error.to_string()))
    }

    /// Builds tiles until a signal.
    #[cfg(feature = "nats")]
    fn work(&self) -> Result<Verdict, Failure> {
        use std::io::Write;

        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        let signals = Signals::new([SIGINT, SIGTERM]);
        let mut signals =
            signals.map_err(|error| Failure::OurFault(format!("no signals: {error}")))?;
        let log = wayfarer_cluster::Log::new(|line| {
            // A closed stderr does not end the worker.
            writeln!(std::io::stderr(), "{line}").ok();
        });
        let settings = self.connection.settings();
        let worker = wayfarer_cluster::nats::BakeWorker::start(&settings, made_sources(), log);
        let worker = worker.map_err(|error| Failure::BadInput(error.to_string()))?;
        signals.forever().next();
        worker.close();
        Ok(Verdict::Done)
    }

    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    fn order(&self, _order: &BakeOrder, _store: TileDirectory) -> Result<StreamedWorld, Failure> {
        Err(without_nats())
    }

    #[cfg(not(feature = "nats"))]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    fn work(&self) -> Result<Verdict, Failure> {
        Err(without_nats())
    }
}

#[cfg(not(feature = "nats"))]
fn without_nats() -> Failure {
    let reason = "this program was built without the feature nats: cargo wayfarer-cluster tiles";
    Failure::BadInput(reason.to_owned())
}
