//! Ways over the ground that changes.

pub mod plain;
