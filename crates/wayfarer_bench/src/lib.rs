//! Part of `wayfarer`; use `wayfarer`.
