//! Markdown tables that also read well in a terminal, and short numbers for them.

/// A Markdown table: the first column aligned left, the others right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this header.
    pub fn new<T: Into<String>>(heads: impl IntoIterator<Item = T>) -> Self {
        Self {
            rows: vec![heads.into_iter().map(Into::into).collect()],
        }
    }

    /// Adds a row; missing cells stay empty.
    pub fn row<T: Into<String>>(&mut self, columns: impl IntoIterator<Item = T>) {
        self.rows
            .push(columns.into_iter().map(Into::into).collect());
    }

    /// The table as text, one line per row.
    pub fn render(&self) -> String {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let columns =
            |row: &Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let widths: Vec<usize> = (0..n_columns)
            .map(|column| {
                let lengths = self
                    .rows
                    .iter()
                    .map(|row| columns(row, column).chars().count());
                lengths.max().unwrap_or(0).max(3)
            })
            .collect();
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let content = columns(row, column);
                text += "| ";
                let padding = " ".repeat(width - content.chars().count());
                if column == 0 {
                    text = text + &content + &padding + " ";
                } else {
                    text = text + &padding + &content + " ";
                }
            }
            text += "|\n";
            if index == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width + 1);
                    text = text + "|" + &dashes + if column == 0 { "-" } else { ":" };
                }
                text += "|\n";
            }
        }
        text
    }
}

/// A number with about three significant digits.
///
/// ```
/// use wayfarer_measure::table::short;
/// assert_eq!(short(0.01234), "0.0123");
/// assert_eq!(short(4.567), "4.57");
/// assert_eq!(short(45.67), "45.7");
/// assert_eq!(short(4567.8), "4,568");
/// ```
pub fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => grouped(&format!("{number:.0}")),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}

/// Digits in groups of three.
pub fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |d| ("-", d));
    let mut text = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;
