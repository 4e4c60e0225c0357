//! Every function that the host links, from the WIT: none is unknown, none keeps something without a charge, and
//! random calls with hostile values break nothing.
//!
//! `host-functions.txt` says for each function what the host keeps when it returns: `nothing`; `handle`, a row of the
//! tables, which costs `HANDLE_COST`; `charged`, and what; `bounded`, and by what. A function that is missing fails
//! the test.

mod generate;
mod guest_text;

use std::collections::{BTreeMap, BTreeSet};

use wisp::{Command, Outcome, Session};
use wisp_tests::alone::{alone, resident};

use self::generate::{Generator, Linked};
use self::guest_text::{FILE, FOLDER, LONG, PROGRAM};
use crate::escape::kit::{IMPORTS, assert_works, component, policy, session};

const TABLE: &str = include_str!("host-functions.txt");

/// Memory limit of a session in these tests.
const MEMORY: u64 = 64 << 20;

/// What the host may hold for a session beyond its limit, and what a test's own work takes: stacks, code, the
/// allocator's caches, the machine code of the guest.
const SLACK: u64 = 160 << 20;

/// Random calls of a process if none of them ends it; most hostile values do.
const CALLS: usize = 40;

/// What a loop of calls with the same values cannot show, and where it is shown.
const ELSEWHERE: &[(&str, &str)] = &[
    ("wisp:sandbox/files adopt", "needs the number of an open file; it gives what `open` gives"),
    ("wasi:cli/terminal-stdin get-terminal-stdin", "there is no terminal here"),
    ("wasi:cli/terminal-stdout get-terminal-stdout", "there is no terminal here"),
    ("wasi:cli/terminal-stderr get-terminal-stderr", "there is no terminal here"),
    ("wasi:http/outgoing-handler handle", "denied here; the requests of tests/net are sent"),
    ("wisp:sandbox/terminal spawn-controlled", "needs a terminal among its descriptors; what it keeps is what `spawn` keeps"),
    ("wisp:sandbox/loopback bind", "needs an address; `escape/memory-sockets` binds and connects until the limits end it"),
    ("wisp:sandbox/loopback accept", "needs a socket that listens; it gives what `connect` was charged for"),
    ("wisp:sandbox/loopback connect", "needs a socket that listens; it is charged as `pair` is"),
    ("wisp:sandbox/host call", "denied here; the calls of tests/escape/functions.rs are made"),
    ("wisp:sandbox/artifacts set-label", "the same label is kept once: `a_label_is_charged_while_it_is_kept`"),
];

/// Maps each function to what the host keeps for it.
fn table() -> BTreeMap<&'static str, (&'static str, &'static str)> {
    let rows = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| {
        let (name, kept) = line.split_once(" = ").unwrap_or_else(|| panic!("`{line}` is no row"));
        let (what, rest) = kept.split_once(": ").unwrap_or((kept, ""));
        (name, (what, rest))
    })
    .collect()
}

#[test]
fn every_function_of_the_wit_says_what_the_host_keeps() {
    let (generator, table) = (Generator::new(), table());
    let names: BTreeSet<&str> = generator.functions.iter().map(|linked| linked.name.as_str()).collect();
    assert!(names.len() > 160, "{} functions", names.len());
    let written: BTreeSet<&str> = table.keys().copied().collect();
    let unknown: Vec<_> = names.difference(&written).collect();
    assert!(unknown.is_empty(), "say in tests/escape/anycalls/host-functions.txt what the host keeps when these return: {unknown:#?}");
    let gone: Vec<_> = written.difference(&names).collect();
    assert!(gone.is_empty(), "these are in no WIT any more: {gone:#?}");
    for linked in &generator.functions {
        let (what, how) = table[linked.name.as_str()];
        match what {
            "nothing" => assert!(!generator.gives(linked), "`{}` gives a handle, which is kept", linked.name),
            "handle" => assert!(generator.gives(linked), "`{}` gives no handle", linked.name),
            "charged" | "bounded" => assert!(!how.is_empty(), "`{}`: {what} how?", linked.name),
            _ => panic!("`{}`: `{what}` is none of nothing, handle, charged, bounded", linked.name),
        }
    }
}

fn guest(generator: &mut Generator) -> Vec<u8> {
    let text = generator.module();
    let module = wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}"));
    component(module, "", &generator.imports(IMPORTS))
}

async fn sandbox(guest: &[u8]) -> Session {
    let lines = format!(
        "[limits]\nmemory = \"{}MiB\"\nwall = \"2s\"\nopen_files = 65536\nprocesses = 8\n
         [filesystem]\nquota = \"16MiB\"\nmax_files = 200000\n",
        MEMORY >> 20
    );
    session(&policy(&["coreutils"], &lines), &[("guest", guest)]).await
}

async fn call(session: &Session, arguments: [usize; 4]) -> Outcome {
    let arguments = arguments.map(|argument| argument.to_string());
    let command = arguments.iter().fold(Command::new("guest"), Command::arg);
    session.run(command).await.expect("the guest starts")
}

/// The text that is passed to a function that keeps texts.
fn text_for(linked: &Linked) -> usize {
    match linked.name.as_str() {
        name if name.contains("process spawn") || name.contains("child") => PROGRAM,
        "wisp:sandbox/files open" => FILE,
        name if name.contains("wasi:io") => FILE,
        name if name.contains("wasi:filesystem") => FOLDER,
        _ => LONG,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_function_keeps_is_charged_until_the_limit_ends_it() {
    if !alone("escape::anycalls::what_a_function_keeps_is_charged_until_the_limit_ends_it") {
        return;
    }
    let mut generator = Generator::new();
    let (guest, table) = (guest(&mut generator), table());
    // Compiles first: the machine code is charged to no process.
    call(&sandbox(&guest).await, [1, 0, 1, 0]).await;
    let (before, mut ran) = (resident(), 0);
    for (number, linked) in generator.functions.iter().enumerate() {
        let (what, _) = table[linked.name.as_str()];
        let elsewhere = ELSEWHERE.iter().any(|(name, _)| *name == linked.name);
        if what == "nothing" || elsewhere || !generator.callable(linked) {
            continue;
        }
        let session = sandbox(&guest).await;
        let outcome = call(&session, [1, number, 400_000, text_for(linked)]).await;
        let grown = resident().saturating_sub(before);
        let said = format!(
            "{}: {:?} {}, {} MiB more, {}",
            linked.name,
            outcome.end,
            outcome.usage.peak_memory,
            grown >> 20,
            outcome.stderr_text()
        );
        assert!(grown < MEMORY + SLACK, "{said}");
        assert!(outcome.usage.peak_memory <= MEMORY, "{said}");
        if what != "bounded" {
            // It kept what it could: the account is full, or as full as the time allowed, and nothing else ended it.
            let hit = outcome.limit.as_ref().map(|hit| hit.limit.as_str());
            assert!(
                matches!(hit, Some("limits.memory" | "limits.wall" | "limits.processes" | "limits.stdout" | "limits.stderr"))
                    || outcome.usage.peak_memory > MEMORY / 2,
                "nothing was charged. {said}"
            );
        }
        ran += 1;
    }
    assert!(ran > 30, "{ran} functions that keep something were called");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_chance_with_hostile_values_break_nothing() {
    if !alone("escape::anycalls::calls_of_chance_with_hostile_values_break_nothing") {
        return;
    }
    let mut generator = Generator::new();
    let guest = guest(&mut generator);
    call(&sandbox(&guest).await, [0, 0, 1, 0]).await;
    let (before, mut ended) = (resident(), BTreeMap::<u8, u32>::new());
    let seeds = std::env::var("WISP_FUZZ_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(500);
    for seed in 0..seeds {
        let session = sandbox(&guest).await;
        let outcome = call(&session, [0, seed, CALLS, 0]).await;
        *ended.entry(outcome.exit_code()).or_default() += 1;
        let grown = resident().saturating_sub(before);
        assert!(grown < MEMORY + SLACK, "seed {seed}: {} MiB more", grown >> 20);
        assert!(outcome.usage.peak_memory <= MEMORY, "seed {seed}: {}", outcome.usage.peak_memory);
    }
    println!("{ended:?}");
    assert!(ended.keys().all(|code| [0, 1, 124, 134, 137, 141].contains(code) || *code > 128), "{ended:?}");
    assert!(ended.get(&0).is_some_and(|count| *count > seeds as u32 / 20), "hardly any came to its end: {ended:?}");
    assert_works(&session(&policy(&["coreutils"], ""), &[]).await).await;
}
