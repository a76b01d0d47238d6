//! Navigation in game worlds that change.
