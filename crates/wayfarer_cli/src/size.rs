//! Sizes on the command line: `N`, `WxH` or `WxHxD`.

/// A size in cells or voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) depth: Option<u32>,
}

/// Parses `N`, `WxH` or `WxHxD`.
pub(crate) fn parse(text: &str) -> Result<Size, String> {
    let numbers: Result<Vec<u32>, _> = text.split(['x', 'X']).map(str::parse).collect();
    let (width, height, depth) = match numbers.as_deref() {
        Ok([side]) => (*side, *side, None),
        Ok([width, height]) => (*width, *height, None),
        Ok([width, height, depth]) => (*width, *height, Some(*depth)),
        _ => return Err("expected N, WxH or WxHxD, as in 200x120".to_owned()),
    };
    Ok(Size {
        width,
        height,
        depth,
    })
}
