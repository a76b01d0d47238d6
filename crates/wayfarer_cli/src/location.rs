//! Locations on the command line: `x,y` or `x,y,z`.

/// A cell or voxel; without a height the world chooses the floor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LocationArg {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) z: Option<i32>,
}

impl std::fmt::Display for LocationArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)?;
        match self.z {
            Some(z) => write!(f, ",{z}"),
            None => Ok(()),
        }
    }
}

/// Parses `x,y` or `x,y,z`.
pub(crate) fn parse(text: &str) -> Result<LocationArg, String> {
    let numbers: Result<Vec<i32>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x, y]) => Ok(LocationArg {
            x: *x,
            y: *y,
            z: None,
        }),
        Ok([x, y, z]) => Ok(LocationArg {
            x: *x,
            y: *y,
            z: Some(*z),
        }),
        _ => Err("expected x,y or x,y,z in whole cells, as in 12,-3".to_owned()),
    }
}
