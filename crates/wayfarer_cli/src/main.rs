//! The program `wayfarer`.

fn main() {}
