//! Parameters of refinement, R[n, t, c, s] \[Sturtevant2007\], and their text form.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The four parameters of refinement, and two options of our own.
///
/// Text form as in \[Sturtevant2007\], `-` for an unused parameter: `1,10%,-,-` refines one edge
/// at a time and trims a tenth off each segment; `2,5,p+,simple` two edges, five cells off, within
/// the sectors of the segment and adjacent ones, smoothed. Options may follow: `any` ends segments
/// at the first cell of a region instead of at its center, `search` runs A* for every segment,
/// where otherwise a free line with one bend is taken. `smooth` stands for `1,10%,-,simple`, `hpa`
/// for `1,-,-,simple`, `pra` for `4,-,p+,-`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RefinementParams {
    /// Edges of the abstract path per segment: 1 or more.
    pub edges: u32,
    /// What is trimmed off the end of a segment before the next one starts there.
    pub trim: Trim,
    /// The sectors a segment is restricted to.
    pub corridor: Corridor,
    /// Smoothing of the complete path.
    pub smoothing: Smoothing,
    /// Segments may end at the first cell of a region instead of at its center.
    pub allow_any_region_cell: bool,
    /// Every segment is searched, even where a free line with one bend is optimal.
    pub requires_search: bool,
}

/// What is trimmed off the end of a segment. The last segment is never trimmed, and at least one
/// step of a segment remains.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trim {
    /// Nothing.
    None,
    /// A number of cells.
    Cells(u32),
    /// Hundredths of the segment, rounded down: at most 90.
    PerCent(u8),
}

/// The sectors a segment is restricted to. Lifted if they contain no path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Corridor {
    /// No restriction.
    None,
    /// The sectors of the segment's regions.
    Path,
    /// Those and the sectors of adjacent regions.
    PathAndAround,
}

/// Smoothing of the complete path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Smoothing {
    /// Nothing.
    None,
    /// Replaces parts by a diagonal and a straight line where that costs no more.
    Simple,
}

/// A text that is no refinement.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "refinement `{found}`: {what}; expected n,t,c,s as in `1,10%,-,-`, or `smooth`, `hpa` or `pra`"
)]
pub struct RefinementError {
    /// The text.
    pub found: String,
    /// What is wrong with it.
    pub what: &'static str,
}

impl RefinementParams {
    /// R[1, 10%, -, -]: the setting measured in \[Sturtevant2007\].
    pub const STURTEVANT_2007: Self = Self {
        edges: 1,
        trim: Trim::PerCent(10),
        corridor: Corridor::None,
        smoothing: Smoothing::None,
        allow_any_region_cell: false,
        requires_search: false,
    };
    /// R[1, 10%, -, simple]: the same with smoothing. Of all settings measured, the shortest paths
    /// for its time.
    pub const SMOOTH: Self = Self {
        smoothing: Smoothing::Simple,
        ..Self::STURTEVANT_2007
    };
    /// R[1, -, -, simple]: HPA* \[Botea2004\] in the terms of \[Sturtevant2007\].
    pub const HPA: Self = Self {
        edges: 1,
        trim: Trim::None,
        corridor: Corridor::None,
        smoothing: Smoothing::Simple,
        allow_any_region_cell: false,
        requires_search: false,
    };
    /// R[4, -, p+, -], repeated: PRA* \[Sturtevant2005\] in the terms of \[Sturtevant2007\], over
    /// one level.
    pub const PRA: Self = Self {
        edges: 4,
        trim: Trim::None,
        corridor: Corridor::PathAndAround,
        smoothing: Smoothing::None,
        allow_any_region_cell: false,
        requires_search: false,
    };
}

impl FromStr for RefinementParams {
    type Err = RefinementError;

    fn from_str(text: &str) -> Result<Self, RefinementError> {
        let error = |what: &'static str| RefinementError {
            found: text.to_owned(),
            what,
        };
        match text {
            "smooth" => return Ok(Self::SMOOTH),
            "hpa" => return Ok(Self::HPA),
            "pra" => return Ok(Self::PRA),
            _ => {}
        }
        let mut parts = text.split(',').map(str::trim);
        let mut next = |what| parts.next().ok_or_else(|| error(what));
        let edges = next("n is missing")?;
        let trim = next("t is missing")?;
        let corridor = next("c is missing")?;
        let smoothing = next("s is missing")?;
        let (mut allow_any_region_cell, mut requires_search) = (false, false);
        for option in parts {
            match option {
                "any" if !allow_any_region_cell => allow_any_region_cell = true,
                "search" if !requires_search => requires_search = true,
                _ => {
                    return Err(error(
                        "after s only `any` and `search` may follow, each once",
                    ));
                }
            }
        }
        let edges = edges.parse().ok().filter(|edges| *edges >= 1);
        let edges = edges.ok_or_else(|| error("n must be a number, 1 or more"))?;
        let trim = match (trim, trim.strip_suffix('%')) {
            ("-", _) => Trim::None,
            (_, Some(per_cent)) => {
                let per_cent = per_cent.parse().ok().filter(|per_cent| *per_cent <= 90);
                Trim::PerCent(per_cent.ok_or_else(|| error("t must be at most 90%"))?)
            }
            (cells, None) => {
                let cells = cells.parse().ok();
                Trim::Cells(cells.ok_or_else(|| error("t must be `-`, a number or per cent"))?)
            }
        };
        let corridor = match corridor {
            "-" => Corridor::None,
            "p" => Corridor::Path,
            "p+" => Corridor::PathAndAround,
            _ => return Err(error("c must be `-`, `p` or `p+`")),
        };
        let smoothing = match smoothing {
            "-" => Smoothing::None,
            "simple" => Smoothing::Simple,
            _ => return Err(error("s must be `-` or `simple`")),
        };
        Ok(Self {
            edges,
            trim,
            corridor,
            smoothing,
            allow_any_region_cell,
            requires_search,
        })
    }
}

impl fmt::Display for RefinementParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},", self.edges)?;
        match self.trim {
            Trim::None => write!(f, "-,")?,
            Trim::Cells(cells) => write!(f, "{cells},")?,
            Trim::PerCent(per_cent) => write!(f, "{per_cent}%,")?,
        }
        f.write_str(match self.corridor {
            Corridor::None => "-,",
            Corridor::Path => "p,",
            Corridor::PathAndAround => "p+,",
        })?;
        f.write_str(match self.smoothing {
            Smoothing::None => "-",
            Smoothing::Simple => "simple",
        })?;
        f.write_str(if self.allow_any_region_cell {
            ",any"
        } else {
            ""
        })?;
        f.write_str(if self.requires_search { ",search" } else { "" })
    }
}

impl Trim {
    /// How many of a segment's steps remain: at least 1 if there are any.
    pub(super) fn n_kept(self, n_steps: usize) -> usize {
        let n_trimmed = match self {
            Self::None => 0,
            Self::Cells(cells) => usize::try_from(cells).unwrap_or(usize::MAX),
            Self::PerCent(per_cent) => n_steps * usize::from(per_cent) / 100,
        };
        n_steps.saturating_sub(n_trimmed).max(n_steps.min(1))
    }
}
