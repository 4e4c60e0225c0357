//! `just conformance [SUITE…] [--list] [--quick] [--all] [--oracle]`.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use wisp_conformance::case::{Case, Want};
use wisp_conformance::expected::Expected;
use wisp_conformance::oracle::Oracle;
use wisp_conformance::report::{Report, difference};
use wisp_conformance::run::{Result as Ended, Runner};
use wisp_conformance::{byutil, choose, suites, verdicts};

const USAGE: &str = "\
usage: just conformance [WORD…] [--list] [--quick] [--all] [--oracle]
  WORD      only the cases whose id has it: a suite (bashkit, brush, awk, jq, own), a group, a name
  --list    show each failing case, and how it differs
  --quick   the part that is among the tests
  --all     coreutils' by-util tests too (built first: minutes); WORD `coreutils` runs them alone
  --oracle  ask the real programs, in a jail, and write tests/conformance/verdicts
  --help    print this";

#[derive(Default)]
struct Arguments {
    words: Vec<String>,
    list: bool,
    quick: bool,
    oracle: bool,
    all: bool,
    help: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "--list" => arguments.list = true,
            "--quick" => arguments.quick = true,
            "--all" => arguments.all = true,
            "--help" | "-h" => arguments.help = true,
            "--oracle" => arguments.oracle = true,
            _ if word.starts_with('-') => return Err(format!("`{word}` is not an option\n{USAGE}")),
            _ => arguments.words.push(word),
        }
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("conformance: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    if arguments.help {
        println!("{USAGE}");
        return Ok(true);
    }
    if arguments.words.first().is_some_and(|word| word == "coreutils") {
        if arguments.oracle {
            return byutil::record().map(|()| true);
        }
        return byutil::report(&arguments.words[1..], arguments.list);
    }
    let fine = run_cases(arguments)?;
    Ok(if arguments.all { byutil::report(&arguments.words, arguments.list)? && fine } else { fine })
}

fn run_cases(arguments: &Arguments) -> Result<bool, String> {
    let named: Vec<&str> =
        suites::NAMES.into_iter().filter(|name| arguments.words.iter().any(|word| word.split('/').next() == Some(name))).collect();
    let names = if named.is_empty() { suites::NAMES.to_vec() } else { named };
    let mut cases = Vec::new();
    for name in &names {
        cases.extend(suites::load(name)?);
    }
    cases.retain(|case| arguments.words.is_empty() || arguments.words.iter().any(|word| case.id.contains(word.as_str())));
    if cases.is_empty() {
        return Err(format!("no case's id has `{}`", arguments.words.join("` or `")));
    }
    if arguments.oracle {
        return record(&names, &cases);
    }
    let verdicts = Arc::new(verdicts::Verdicts::read(&names));
    let (chosen, skipped) = choose(&cases, &verdicts, arguments.quick);
    let expected = Expected::read()?;
    let cases = Arc::new(cases);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
    let runner = Arc::new(Runner::new()?);
    let results = runtime.block_on(runner.run_all(cases.clone(), &chosen, verdicts));
    let report = Report::new(&cases, &skipped, &results, &expected);
    if arguments.list {
        list(&cases, &results, &skipped, &expected);
    }
    print!("{}", report.table());
    for line in &report.wrong {
        println!("! {line}");
    }
    Ok(report.wrong.is_empty())
}

/// Runs the oracle on these cases; the recorded verdicts of others stay.
fn record(names: &[&str], cases: &[Case]) -> Result<bool, String> {
    let oracle = Oracle::find()?;
    let mut all = verdicts::Verdicts::read(names);
    // jq's values were made by jq itself, and our own cases' by bash.
    let asked: Vec<&Case> =
        cases.iter().filter(|case| case.skip.is_none() && !["jq", "own"].iter().any(|name| case.id.starts_with(name))).collect();
    let found = oracle.record(&asked);
    for case in &asked {
        all.0.remove(&case.id);
    }
    for case in cases.iter().filter(|case| case.id.starts_with("own/more/")) {
        suites::own::bless(wisp_conformance::root(), &case.id, &oracle.run(&case.run, "gawk")?)?;
    }
    println!("{} cases asked, {} verdicts", asked.len(), found.0.len());
    all.0.extend(found.0);
    for name in names {
        all.write(name)?;
    }
    Ok(true)
}

fn list(cases: &[Case], results: &[Ended], skipped: &BTreeMap<usize, String>, expected: &Expected) {
    let oracle = Oracle::find();
    for (index, reason) in skipped {
        println!("~~~ {}: {reason}", cases[*index].id);
    }
    for result in results {
        let Err(error) = &result.verdict else { continue };
        let case = &cases[result.index];
        let known = expected.reason(&case.id).map(|reason| format!(" (expected: {reason})")).unwrap_or_default();
        println!("=== {}: {error}{known}\n{}", case.id, case.run.text());
        let real = oracle.as_ref().ok().and_then(|oracle| oracle.run(&case.run, "gawk").ok());
        let wanted = match (&case.want, &real) {
            (Want::Output(stdout, _), _) => Some(stdout.clone()),
            (Want::Json(values), _) => Some(values.iter().map(|value| format!("{value}\n")).collect::<String>().into_bytes()),
            (_, Some(real)) => Some(real.stdout.clone()),
            _ => None,
        };
        if let Some(wanted) = wanted {
            println!(
                "--- wanted and found\n{}",
                difference(&String::from_utf8_lossy(&wanted), &String::from_utf8_lossy(&result.ran.stdout))
            );
        }
        if let Some(real) = real.filter(|real| real.stderr != result.ran.stderr) {
            println!("--- standard error, real\n{}", String::from_utf8_lossy(&real.stderr[..real.stderr.len().min(600)]));
        }
        println!("--- standard error\n{}", String::from_utf8_lossy(&result.ran.stderr[..result.ran.stderr.len().min(600)]));
    }
}
