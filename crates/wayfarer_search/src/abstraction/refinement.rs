//! How a way over regions is turned into steps: R[n, t, c, s].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The four parameters of refinement, and where pieces end.
///
/// Written as the paper does, with `-` for what is not used: `1,10%,-,-` refines one edge at a time
/// and cuts a tenth off each piece; `2,5,p+,simple` two edges, five cells off, inside the sectors
/// of the piece and those around, smoothed. More words may follow: `any` ends pieces at the first
/// cell of a region instead of at its center, `search` looks for every piece with A* as the paper
/// does, where else a line with one bend is taken if it is free. `smooth` stands for
/// `1,10%,-,simple`, `hpa` for `1,-,-,simple`, `pra` for `4,-,p+,-`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefinementParams {
    /// Edges of the way over regions that one piece covers: 1 or more.
    pub edges: u32,
    /// What is cut off the end of a piece before the next begins there.
    pub trim: Trim,
    /// Where the search for a piece may go.
    pub corridor: Corridor,
    /// What is done to the whole path in the end.
    pub smoothing: Smoothing,
    /// Pieces end at the first cell of a region instead of at its center.
    pub allow_any_region_cell: bool,
    /// Pieces are always searched for, even where a line with one bend is free and no way shorter.
    pub always_searches: bool,
}

/// What is cut off the end of a piece. The last piece is never cut, and no piece to nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trim {
    /// Nothing.
    None,
    /// So many cells.
    Cells(u32),
    /// So many hundredths of the piece, rounded down: at most 90.
    PerCent(u8),
}

/// Where the search for a piece may go. Should the corridor hold no way, it is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corridor {
    /// Anywhere.
    None,
    /// The sectors of the piece.
    Path,
    /// The sectors of the piece and those that its regions touch.
    PathAndAround,
}

/// What is done to the whole path in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Smoothing {
    /// Nothing.
    None,
    /// Pieces that a diagonal and a straight line can replace are replaced.
    Simple,
}

/// What is wrong with the words for a refinement.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "refinement `{found}`: {what}; expected n,t,c,s as in `1,10%,-,-`, or `smooth`, `hpa` or `pra`"
)]
pub struct RefinementError {
    /// What was asked for.
    pub found: String,
    /// What is wrong with it.
    pub what: &'static str,
}

impl RefinementParams {
    /// R[1, 10%, -, -]: what the paper measures.
    pub const STURTEVANT_2007: Self = Self {
        edges: 1,
        trim: Trim::PerCent(10),
        corridor: Corridor::None,
        smoothing: Smoothing::None,
        allow_any_region_cell: false,
        always_searches: false,
    };
    /// R[1, 10%, -, simple]: what the paper measures, smoothed at the end as it advises. For its
    /// time the shortest paths of all that were tried.
    pub const SMOOTH: Self = Self {
        smoothing: Smoothing::Simple,
        ..Self::STURTEVANT_2007
    };
    /// R[1, -, -, simple]: HPA* as the paper describes it.
    pub const HPA: Self = Self {
        edges: 1,
        trim: Trim::None,
        corridor: Corridor::None,
        smoothing: Smoothing::Simple,
        allow_any_region_cell: false,
        always_searches: false,
    };
    /// R[4, -, p+, -], again and again: PRA* as the paper describes it, over one level.
    pub const PRA: Self = Self {
        edges: 4,
        trim: Trim::None,
        corridor: Corridor::PathAndAround,
        smoothing: Smoothing::None,
        allow_any_region_cell: false,
        always_searches: false,
    };
}

impl FromStr for RefinementParams {
    type Err = RefinementError;

    fn from_str(words: &str) -> Result<Self, RefinementError> {
        let fault = |what: &'static str| RefinementError {
            found: words.to_owned(),
            what,
        };
        match words {
            "smooth" => return Ok(Self::SMOOTH),
            "hpa" => return Ok(Self::HPA),
            "pra" => return Ok(Self::PRA),
            _ => {}
        }
        let mut parts = words.split(',').map(str::trim);
        let mut next = |what| parts.next().ok_or_else(|| fault(what));
        let edges = next("there is no n")?;
        let trim = next("there is no t")?;
        let corridor = next("there is no c")?;
        let smoothing = next("there is no s")?;
        let (mut ends_anywhere, mut always_searches) = (false, false);
        for word in parts {
            match word {
                "any" if !ends_anywhere => ends_anywhere = true,
                "search" if !always_searches => always_searches = true,
                _ => {
                    return Err(fault(
                        "after s only `any` and `search` may follow, each once",
                    ));
                }
            }
        }
        let edges = edges.parse().ok().filter(|edges| *edges >= 1);
        let edges = edges.ok_or_else(|| fault("n must be a number, 1 or more"))?;
        let trim = match (trim, trim.strip_suffix('%')) {
            ("-", _) => Trim::None,
            (_, Some(per_cent)) => {
                let per_cent = per_cent.parse().ok().filter(|per_cent| *per_cent <= 90);
                Trim::PerCent(per_cent.ok_or_else(|| fault("t must be at most 90%"))?)
            }
            (cells, None) => {
                let cells = cells.parse().ok();
                Trim::Cells(cells.ok_or_else(|| fault("t must be `-`, a number or per cent"))?)
            }
        };
        let corridor = match corridor {
            "-" => Corridor::None,
            "p" => Corridor::Path,
            "p+" => Corridor::PathAndAround,
            _ => return Err(fault("c must be `-`, `p` or `p+`")),
        };
        let smoothing = match smoothing {
            "-" => Smoothing::None,
            "simple" => Smoothing::Simple,
            _ => return Err(fault("s must be `-` or `simple`")),
        };
        Ok(Self {
            edges,
            trim,
            corridor,
            smoothing,
            allow_any_region_cell: ends_anywhere,
            always_searches,
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
        f.write_str(if self.always_searches { ",search" } else { "" })
    }
}

impl Trim {
    /// How many of the steps of a piece stay: at least 1 if there are any.
    pub(super) fn kept(self, n_steps: usize) -> usize {
        let cut = match self {
            Self::None => 0,
            Self::Cells(cells) => usize::try_from(cells).unwrap_or(usize::MAX),
            Self::PerCent(per_cent) => n_steps * usize::from(per_cent) / 100,
        };
        n_steps.saturating_sub(cut).max(n_steps.min(1))
    }
}
