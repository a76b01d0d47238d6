//! Compressed region graph, slower to read: the two variants that \[Sturtevant2007\] proposes.
//!
//! Sectors take 16 bits, with a second table of addresses, and edges may be stored at one of their
//! ends only. For measurements; [`CompressedAbstraction::decompress`] restores the standard form.

use wayfarer_base::Direction;

use super::{BakedAbstraction, BakedRegion, EDGE_ORDER, SectorWord, next_sector};

/// Sectors that share an entry of the second table.
const GROUP: usize = 32;
/// The count that marks a default sector.
const DEFAULT: u16 = 31;
const OFFSET_BITS: u32 = 11;

/// A region graph with 16-bit sectors, and optionally half the edges. Without variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompressedAbstraction {
    side: u8,
    width: u32,
    height: u32,
    across: u32,
    has_all_edges: bool,
    /// Number of regions (5 bits) and data offset within the group (11 bits).
    sectors: Vec<u16>,
    /// Address of the data of each group of sectors.
    groups: Vec<u32>,
    data: Vec<u8>,
}

impl CompressedAbstraction {
    /// Compresses a graph; `None` if a sector has more than 30 regions or the data of 32 sectors
    /// exceeds 2,048 bytes.
    pub fn new(baked: &BakedAbstraction, has_all_edges: bool) -> Option<Self> {
        let mut compressed = Self {
            side: baked.side,
            width: baked.width,
            height: baked.height,
            across: baked.across,
            has_all_edges,
            sectors: Vec::with_capacity(baked.sectors.len()),
            groups: Vec::new(),
            data: Vec::new(),
        };
        for (sector, word) in (0_u32..).zip(&baked.sectors) {
            let word = SectorWord(*word);
            if (sector as usize).is_multiple_of(GROUP) {
                let begin = u32::try_from(compressed.data.len()).ok()?;
                compressed.groups.push(begin);
            }
            if word.is_default() {
                compressed.sectors.push(DEFAULT);
                continue;
            }
            let n_regions = u16::from(word.n_regions());
            if n_regions >= DEFAULT {
                return None;
            }
            let offset = compressed.data.len() - *compressed.groups.last()? as usize;
            let offset = u16::try_from(offset).ok()?;
            if offset >> OFFSET_BITS != 0 {
                return None;
            }
            compressed.sectors.push(n_regions | offset << 5);
            compressed.write(baked, sector, word)?;
        }
        Some(compressed)
    }

    fn write(&mut self, baked: &BakedAbstraction, sector: u32, word: SectorWord) -> Option<()> {
        let mut edges = Vec::new();
        for ordinal in 0..word.n_regions() {
            let (first, end) = (
                baked.edges_until(word, ordinal),
                baked.edges_until(word, ordinal + 1),
            );
            for edge in first..end {
                let (direction, there) = baked.edge(word, edge);
                if self.has_all_edges || is_forward(direction) {
                    edges.push(direction.index() << 5 | (there < 32).then_some(there)?);
                }
            }
            let (x, y) = baked.center(BakedRegion { sector, ordinal });
            let (left, top) = baked.origin(sector);
            let local = (y - top) * i32::from(baked.side) + (x - left);
            self.data.push(u8::try_from(local).ok()?);
            self.data.push(u8::try_from(edges.len()).ok()?);
        }
        self.data.extend(edges);
        Some(())
    }

    /// Bytes of sectors, address table and region data.
    pub fn payload_bytes(&self) -> usize {
        self.sectors.len() * size_of::<u16>()
            + self.groups.len() * size_of::<u32>()
            + self.data.len()
    }

    /// Calls `visit` with every region that has an edge with `region`, in the order of
    /// [`BakedAbstraction::for_each_edge`], without decompressing.
    pub fn for_each_edge(&self, region: BakedRegion, mut visit: impl FnMut(BakedRegion)) {
        for direction in EDGE_ORDER {
            if let Some(sector) = self.next_sector(region.sector, direction) {
                self.for_each_edge_towards(region.sector, region.ordinal, direction, |ordinal| {
                    visit(BakedRegion { sector, ordinal });
                });
            }
        }
    }

    fn next_sector(&self, sector: u32, direction: Direction) -> Option<u32> {
        let n_sectors = u32::try_from(self.sectors.len()).unwrap_or(u32::MAX);
        next_sector((self.across, n_sectors), sector, direction)
    }

    /// The standard form.
    pub fn decompress(&self) -> BakedAbstraction {
        let mut baked = BakedAbstraction {
            side: self.side,
            width: self.width,
            height: self.height,
            across: self.across,
            sectors: Vec::with_capacity(self.sectors.len()),
            data: Vec::new(),
            variants: Vec::new(),
        };
        baked
            .sectors
            .resize(self.sectors.len(), SectorWord::DEFAULT.0);
        for sector in 0..baked.n_sectors() {
            let Some(n_regions) = self.stored(sector) else {
                continue;
            };
            let address = if n_regions == 0 { 0 } else { baked.data.len() };
            let address = u32::try_from(address).unwrap_or(u32::MAX);
            baked.sectors[sector as usize] = SectorWord::new(n_regions, address, false).0;
            let mut edges = Vec::new();
            for ordinal in 0..n_regions {
                for direction in EDGE_ORDER {
                    self.for_each_edge_towards(sector, ordinal, direction, |there| {
                        edges.push(direction.index() << 5 | there);
                    });
                }
                let (center, _) = self.record(sector, ordinal);
                baked.data.push(center);
                // The number of edges fitted a byte before compression.
                baked
                    .data
                    .push(u8::try_from(edges.len()).unwrap_or(u8::MAX));
            }
            baked.data.extend(edges);
        }
        baked
    }

    /// The number of regions of a stored sector; `None` for a default sector.
    fn stored(&self, sector: u32) -> Option<u8> {
        let n_regions = self.sectors[sector as usize] & 31;
        (n_regions != DEFAULT).then_some(n_regions.to_le_bytes()[0])
    }

    fn data_start(&self, sector: u32) -> usize {
        let group = self.groups[sector as usize / GROUP] as usize;
        group + usize::from(self.sectors[sector as usize] >> 5)
    }

    /// Center of a region, and the number of edges up to and including it.
    fn record(&self, sector: u32, ordinal: u8) -> (u8, usize) {
        let at = self.data_start(sector) + 2 * usize::from(ordinal);
        (self.data[at], usize::from(self.data[at + 1]))
    }

    /// The regions in one direction that have an edge with a region, in order.
    fn for_each_edge_towards(
        &self,
        sector: u32,
        ordinal: u8,
        direction: Direction,
        mut visit: impl FnMut(u8),
    ) {
        if self.has_all_edges || is_forward(direction) {
            self.for_each_stored_edge(sector, ordinal, direction, visit);
            return;
        }
        let Some(next) = self.next_sector(sector, direction) else {
            return;
        };
        let n_regions = self.stored(next).unwrap_or(1);
        for there in 0..n_regions {
            self.for_each_stored_edge(next, there, direction.opposite(), |back| {
                if back == ordinal {
                    visit(there);
                }
            });
        }
    }

    fn for_each_stored_edge(
        &self,
        sector: u32,
        ordinal: u8,
        wanted: Direction,
        mut visit: impl FnMut(u8),
    ) {
        let Some(n_regions) = self.stored(sector) else {
            visit(0);
            return;
        };
        let first = if ordinal == 0 {
            0
        } else {
            self.record(sector, ordinal - 1).1
        };
        let (_, end) = self.record(sector, ordinal);
        let edges = self.data_start(sector) + 2 * usize::from(n_regions);
        for edge in &self.data[edges + first..edges + end] {
            if edge >> 5 == wanted.index() {
                visit(edge & 31);
            }
        }
    }
}

/// True for the four directions whose edges are stored.
fn is_forward(direction: Direction) -> bool {
    (2..6).contains(&direction.index())
}
