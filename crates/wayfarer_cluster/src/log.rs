//! Structured logs: one JSON object a line, to a sink of the caller.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

/// A member of a line: its name and value.
pub type Member<'a> = (&'a str, Value);

/// Where lines go. Cloning shares the sink.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Sink>>);

type Sink = dyn Fn(&str) + Send + Sync;

impl Log {
    /// A log that passes every line, without its end, to a sink.
    pub fn new(sink: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(sink)))
    }

    /// Writes a line: the time in milliseconds since 1970, the event, and its members.
    pub fn event(&self, event: &str, members: &[Member<'_>]) {
        let Some(sink) = &self.0 else {
            return;
        };
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let ms = since.map_or(0, |since| {
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        });
        let mut line = Map::new();
        line.insert("time_ms".to_owned(), ms.into());
        line.insert("event".to_owned(), event.into());
        for (name, value) in members {
            line.insert((*name).to_owned(), value.clone());
        }
        sink(&Value::Object(line).to_string());
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Log({})", self.0.is_some())
    }
}
