//! A search, event by event.

use wasm_bindgen::prelude::wasm_bindgen;
use wayfarer::inspect::{Trace, TraceKind};

use crate::convert::numbers;
use crate::path::PathArrays;

/// The events of a search as arrays, one entry per event.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct TraceArrays {
    trace: Trace,
}

impl TraceArrays {
    pub(crate) const fn new(trace: Trace) -> Self {
        Self { trace }
    }
}

#[wasm_bindgen]
impl TraceArrays {
    /// What happened: 0 opened, 1 expanded, 2 improved, 3 reached.
    pub fn kinds(&self) -> Vec<u8> {
        let kind = |kind: TraceKind| match kind {
            TraceKind::Expanded => 1,
            TraceKind::Improved => 2,
            TraceKind::Reached => 3,
            _ => 0,
        };
        self.trace
            .events
            .iter()
            .map(|event| kind(event.kind))
            .collect()
    }

    /// Three numbers per event.
    pub fn positions(&self) -> Vec<f64> {
        numbers(self.trace.events.iter().map(|event| event.at))
    }

    /// Costs from the start in meters.
    pub fn g(&self) -> Vec<f64> {
        self.trace.events.iter().map(|event| event.g).collect()
    }

    /// Lower bounds on the costs to the goal in meters.
    pub fn h(&self) -> Vec<f64> {
        self.trace.events.iter().map(|event| event.h).collect()
    }

    /// The events that expanded the parents; -1 for the start.
    pub fn parents(&self) -> Vec<i32> {
        let index = |parent: Option<usize>| parent.and_then(|index| i32::try_from(index).ok());
        let events = self.trace.events.iter();
        events
            .map(|event| index(event.parent).unwrap_or(-1))
            .collect()
    }

    /// The path that the search found.
    pub fn path(&self) -> PathArrays {
        PathArrays::new(&self.trace.path)
    }

    /// The search trace format that the Posthoc visualizer reads.
    #[wasm_bindgen(js_name = toSearchTrace)]
    pub fn to_search_trace(&self) -> String {
        self.trace.to_search_trace()
    }
}
