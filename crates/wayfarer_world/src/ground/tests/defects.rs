//! Faults that the published code of the sparse grid has, each with a test that it would fail.
