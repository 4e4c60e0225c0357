//! The part of the suites that CI runs: everything except coreutils' by-util tests, which take minutes to build.

use std::sync::Arc;

use wisp_conformance::expected::Expected;
use wisp_conformance::report::Report;
use wisp_conformance::run::Runner;
use wisp_conformance::{choose, suites, verdicts};

#[tokio::test(flavor = "multi_thread")]
async fn the_public_suites_pass_as_expected() {
    let mut cases = Vec::new();
    for name in suites::NAMES {
        cases.extend(suites::load(name).unwrap_or_else(|error| panic!("{error}")));
    }
    let cases = Arc::new(cases);
    let verdicts = Arc::new(verdicts::Verdicts::read(&suites::NAMES));
    let (chosen, skipped) = choose(&cases, &verdicts, true);
    let expected = Expected::read().unwrap_or_else(|error| panic!("{error}"));
    let gone: Vec<&str> = expected.ids().filter(|id| !cases.iter().any(|case| case.id == *id)).collect();
    assert!(gone.is_empty(), "tests/conformance/expected.toml names cases that are not there: {gone:?}");
    let runner = Arc::new(Runner::new().unwrap_or_else(|error| panic!("{error}")));
    let results = runner.run_all(cases.clone(), &chosen, verdicts).await;
    let report = Report::new(&cases, &skipped, &results, &expected);
    println!("{}", report.table());
    assert!(
        report.wrong.is_empty(),
        "{} cases are not as expected; `just conformance --list` shows how:\n{}",
        report.wrong.len(),
        report.wrong.join("\n")
    );
}
