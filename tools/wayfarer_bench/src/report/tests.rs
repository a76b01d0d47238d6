use super::*;

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Counted {
    steps: usize,
    #[serde(flatten)]
    faults: Faults,
}

impl Figures for Counted {
    const SCHEMA: &'static str = "wayfarer/bench-counted/1";

    fn wrong(&self) -> usize {
        self.faults.wrong
    }

    fn summary(&self) -> String {
        format!("{} steps", self.steps)
    }

    fn render(&self) -> String {
        crate::table::table!(row in [self]; "steps" => row.steps)
    }

    fn faults(&self) -> Vec<String> {
        self.faults.of("count")
    }
}

struct Count {
    n_wrong: usize,
    limit: usize,
}

impl Benchmark for Count {
    type Figures = Counted;

    fn command(&self) -> String {
        CommandLine::new("count")
            .option("limit", self.limit)
            .options("skip", [1, 2])
            .list("sides", &[3, 4])
            .list::<u32>("none", &[])
            .flag("fast", true)
            .flag("slow", false)
            .finish()
    }

    fn measure(&self, progress: Progress<'_>) -> Result<Counted, BenchError> {
        if self.limit == 0 {
            return Err(BenchError::Arguments("--limit 0, expected 1".to_owned()));
        }
        progress("steps", 1);
        let mut faults = Faults::default();
        (0..self.n_wrong).for_each(|step| faults.push(format!("step {step}")));
        Ok(Counted { steps: 7, faults })
    }
}

#[test]
fn the_json_begins_with_the_common_keys_and_the_figures_follow() {
    let mut parts = Vec::new();
    let count = Count {
        n_wrong: 0,
        limit: 5,
    };
    let report = count
        .run(false, |part, n| parts.push((part.to_owned(), n)))
        .unwrap();
    assert_eq!(parts, [("steps".to_owned(), 1)]);
    let json = report.to_json();
    let keys = [
        "schema",
        "command",
        "machine",
        "calibration",
        "steps",
        "wrong",
        "faults",
    ];
    let places = keys.map(|key| json.find(&format!("\n  \"{key}\": ")));
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{json}"
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schema"], "wayfarer/bench-counted/1");
    let command = "bench count --limit 5 --skip 1 --skip 2 --sides 3,4 --fast";
    assert_eq!(json["command"], command);
    assert!(json["calibration"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_text_lists_the_first_wrong_results_and_all_are_counted() {
    let count = Count {
        n_wrong: 12,
        limit: 5,
    };
    let report = count.run(false, |_, _| {}).unwrap();
    assert_eq!((report.wrong(), report.steps), (12, 7));
    let text = report.render();
    assert!(
        text.contains("ns per expansion\n7 steps\n\n| steps |\n"),
        "{text}"
    );
    assert!(text.contains("wrong: count: step 9\n") && !text.contains("step 10"));
    let error = Count {
        n_wrong: 0,
        limit: 0,
    }
    .run(false, |_, _| {})
    .unwrap_err();
    assert_eq!(error.to_string(), "--limit 0, expected 1");
}
