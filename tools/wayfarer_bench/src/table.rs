//! Tables of reports: a line per column, and rows of distributions.

use wayfarer_measure::statistics::Spread;
use wayfarer_measure::table::{Table, short};

/// A value of a table as text.
pub trait Value {
    /// Numbers with about three digits, counts in full; a dash for a value that is missing.
    fn text(&self) -> String;
}

impl Value for f64 {
    fn text(&self) -> String {
        short(*self)
    }
}

impl<T: Value> Value for Option<T> {
    fn text(&self) -> String {
        self.as_ref().map_or_else(|| "–".to_owned(), Value::text)
    }
}

macro_rules! values_in_full {
    ($($type:ty),*) => {
        $(impl Value for $type {
            fn text(&self) -> String {
                self.to_string()
            }
        })*
    };
}
values_in_full!(u32, u64, usize, String, &str);

/// The Markdown table of some rows, a line per column: `table!(row in rows; "head" => row.value, …)`.
macro_rules! table {
    ($row:pat in $rows:expr; $($head:literal => $value:expr),+ $(,)?) => {{
        let mut table = wayfarer_measure::table::Table::new([$($head),+]);
        for $row in $rows {
            table.row([$($crate::table::Value::text(&$value)),+]);
        }
        table.render()
    }};
}
pub(crate) use table;

/// A number with so many decimals.
pub(crate) fn fixed(number: f64, decimals: usize) -> String {
    format!("{number:.decimals$}")
}

/// A table of distributions, a row each.
pub(crate) struct SpreadTable(Table);

impl SpreadTable {
    /// A table whose first column has this head, and whose last columns have those.
    pub(crate) fn new<const N: usize>(first: &str, last: [&str; N]) -> Self {
        let heads = [first, "mean", "p50", "p99", "max"];
        Self(Table::new(heads.into_iter().chain(last)))
    }

    /// Adds a distribution.
    pub(crate) fn row<const N: usize>(
        &mut self,
        name: impl Into<String>,
        spread: Option<Spread>,
        last: [String; N],
    ) {
        let figures = [
            spread.map(|it| it.mean),
            spread.map(|it| it.p50),
            spread.map(|it| it.p99),
            spread.map(|it| it.max),
        ];
        let figures = figures.map(|figure| figure.text()).into_iter();
        let name = [name.into()].into_iter();
        self.0.row(name.chain(figures).chain(last));
    }

    /// Adds a figure that is a mean.
    pub(crate) fn mean<const N: usize>(
        &mut self,
        name: impl Into<String>,
        figure: Option<f64>,
        last: [String; N],
    ) {
        let figures = [name.into(), figure.text()].into_iter();
        let empty = std::iter::repeat_n(String::new(), 3);
        self.0.row(figures.chain(empty).chain(last));
    }

    /// The table as text.
    pub(crate) fn render(&self) -> String {
        self.0.render()
    }
}

/// The table of some distributions.
pub(crate) fn spreads<'a>(
    first: &str,
    rows: impl IntoIterator<Item = (&'a str, Option<Spread>)>,
) -> String {
    let mut table = SpreadTable::new(first, []);
    for (name, spread) in rows {
        table.row(name, spread, []);
    }
    table.render()
}

#[cfg(test)]
mod tests;
