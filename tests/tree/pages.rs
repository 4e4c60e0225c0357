//! The pages of the library's documentation that have no items (`host/wisp/docs`): the defaults are those of the code, and the tests
//! that are named exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use wisp::SlotBounds;
use wisp::fs::{GrepOptions, TarBounds};
use wisp_policy::reference;
use wisp_policy::schema::{Absent, Key};

use crate::source::{code, files, root, source};

/// The rows with a number, and the constant that each is: a file, by its crate's folder and the path in its `src`, and a name.
const CONSTANTS: &[(&str, &str, &str)] = &[
    ("size of that folder, beyond which what is unused for longest goes", "wisp/runtime/cache.rs", "MOST"),
    ("time after which what is unused goes from it", "wisp/runtime/cache.rs", "UNUSED"),
    ("wait for another program that makes the same file of it; after that, each makes its own", "wisp/runtime/cache.rs", "PATIENCE"),
    ("processes at once, of all sessions", "wisp/session/engine.rs", "MAX_PROCESSES"),
    ("threads beside the first of each process, of all sessions", "wisp/runtime/config.rs", "ENGINE_THREADS"),
    ("threads beside the first, of one process", "wisp/wasi/threads.rs", "MAX_THREADS"),
    ("memory that a process can address, whatever `limits.memory` says", "wisp/runtime/config.rs", "MAX_MEMORY"),
    ("stack of a process", "wisp/runtime/config.rs", "WASM_STACK"),
    ("unused stacks that stay mapped", "wisp/runtime/memory/stack.rs", "MAX_IDLE"),
    ("laid out files that are kept for the next session", "wisp/program/templates.rs", "MAX_TEMPLATES"),
    ("time that a guest computes before others have their turn", "wisp/runtime/ticker.rs", "TICK"),
    ("bytes that wait in a pipe, and in piped standard input", "process/pipe.rs", "PIPE_CAPACITY"),
    ("bytes that wait at a terminal until they are read", "process/tty/queue.rs", "CAPACITY"),
    ("arguments and environment of a process", "wisp/wasi/process.rs", "MAX_ARGUMENTS"),
    ("time in which a reader outside takes what an ended command wrote", "wisp/exec/linger.rs", "LINGER"),
    ("detached commands that are kept after their end", "wisp/exec/commands.rs", "MAX_ENDED"),
    ("output and outcomes that those hold together, beside the last", "wisp/exec/commands.rs", "MAX_ENDED_BYTES"),
    ("text of a command in events and handles", "net/failure.rs", "MAX_TEXT"),
    ("receipts of an outcome", "wisp/outcome/receipts.rs", "MAX_KEPT"),
    ("bytes of these receipts", "wisp/outcome/receipts.rs", "MAX_BYTES"),
    ("names of files that an outcome leaves out", "wisp/outcome/artifact.rs", "MAX_LEFT_OUT"),
    ("state of a shell", "wisp/session/shell.rs", "MAX_STATE"),
    ("time to end after that limit has interrupted it", "wisp/interpreter/code.rs", "GRACE"),
    ("question and answer of `input()`, each", "wisp/wasi/frontend.rs", "MAX_LINE"),
    ("bytes that one call of `read` returns", "wisp/files/read.rs", "MAX_READ"),
    ("files of a list, a walk or a pattern", "wisp/files/list.rs", "ENTRIES"),
    ("depth of a walk", "wisp/files/walk.rs", "MAX_DEPTH"),
    ("bytes of a line that a search returns", "wisp/files/grep.rs", "MAX_LINE"),
    ("diff that is applied", "wisp/files/patch/apply.rs", "MAX_DIFF"),
    ("files that a diff names, together", "wisp/files/patch/apply.rs", "MAX_FILES"),
    ("file that is compared line by line", "wisp/files/diff/section.rs", "MAX_TEXT"),
    ("changes of one mount that are written to the host", "wisp/session/apply/plan.rs", "MOST"),
    ("URL of a request of the host program", "wisp/session/request.rs", "URL"),
    ("headers of a request", "net/headers.rs", "MAX_HEADERS"),
    ("bytes of these headers", "net/headers.rs", "MAX_HEADER_BYTES"),
    ("body of a request into which a secret is put", "net/secret.rs", "MAX_BODY"),
    ("items that a function is ahead of its reader", "wisp/functions/work.rs", "AHEAD"),
    ("text of a failure", "wisp/wasi/host.rs", "FAILURE"),
    ("text of a policy", "policy/limits.rs", "POLICY_BYTES"),
    ("policies that extend each other", "policy/limits.rs", "EXTENDS_DEPTH"),
    ("mounts", "policy/limits.rs", "MOUNTS"),
    ("custom tools", "policy/limits.rs", "CUSTOM_TOOLS"),
    ("components in front of imports", "policy/limits.rs", "IMPORTS"),
    ("file of a custom tool", "wisp/program/tool_file.rs", "MAX_TOOL_FILE"),
];

/// Returns the rows whose number is a field of options that a caller makes.
fn fields() -> Vec<(&'static str, u128)> {
    let SlotBounds { keep_resident, max_idle, ready, max_warm } = SlotBounds::default();
    let (grep, tar) = (format!("{:?}", GrepOptions::new()), format!("{:?}", TarBounds::new()));
    vec![
        ("written bytes of an unused slot that stay in memory", keep_resident as u128),
        ("unused slots that stay mapped", max_idle as u128),
        ("slots and instances made ready for each component", ready as u128),
        ("slots in use up to which an interpreter at rest keeps its stack", max_warm as u128),
        ("lines of a search", shown(&grep, "matches")),
        ("bytes that a search reads", shown(&grep, "bytes")),
        ("bytes of a file that a search reads", shown(&grep, "file_bytes")),
        ("contents of an archive", shown(&tar, "bytes")),
        ("entries of an archive", shown(&tar, "entries")),
    ]
}

/// Returns the number of a field, as `Debug` shows it.
fn shown(debug: &str, field: &str) -> u128 {
    let (_, rest) = debug.split_once(&format!(" {field}: ")).unwrap_or_else(|| panic!("no field `{field}` in {debug}"));
    value(rest.split([',', ' ']).next().unwrap_or_default())
}

/// Reads one of the pages.
fn page(name: &str) -> String {
    let path = root().join("host/wisp/docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the rows of the tables with this first column: its cell, and the one beside it.
fn rows<'t>(text: &'t str, column: &str) -> Vec<(&'t str, &'t str)> {
    let (mut found, mut inside) = (Vec::new(), false);
    for line in text.lines() {
        let mut cells = line.split('|').map(str::trim);
        let (Some(""), Some(first), Some(second)) = (cells.next(), cells.next(), cells.next()) else {
            inside = false;
            continue;
        };
        if inside && first != "---" {
            found.push((first, second));
        }
        inside |= first == column;
    }
    found
}

/// Reads a cell as a number: bytes, nanoseconds, or a count. Returns `None` if it has words.
fn number(cell: &str) -> Option<u128> {
    let (digits, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    let unit = match unit {
        "" | "bytes" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "days" => 24 * 3600 * 1_000_000_000,
        _ => return None,
    };
    Some(digits.replace(',', "").parse::<u128>().ok()? * unit)
}

/// Returns what a constant of this name is in a file. Times are in nanoseconds.
fn constant(file: &str, name: &str) -> u128 {
    let text = code(&source(file));
    let start = format!("const {name}: ");
    let found = text.lines().find_map(|line| line.split_once(&start)?.1.split_once(" = ")?.1.strip_suffix(';'));
    value(found.unwrap_or_else(|| panic!("host/{file} has no constant `{name}` any more: correct CONSTANTS and the page of defaults")))
}

/// Evaluates an expression such as the constants have.
fn value(expression: &str) -> u128 {
    let within = |start: &str| expression.strip_prefix(start)?.strip_suffix(')');
    if let Some(seconds) = within("Duration::from_secs(") {
        return value(seconds) * 1_000_000_000;
    }
    if let Some(milliseconds) = within("Duration::from_millis(") {
        return value(milliseconds) * 1_000_000;
    }
    if let Some((left, right)) = expression.split_once(" << ") {
        return value(left) << value(right);
    }
    if expression.contains(" * ") {
        return expression.split(" * ").map(value).product();
    }
    match expression.split(" as ").next().unwrap_or_default() {
        "MIB" => 1 << 20,
        digits => digits.replace('_', "").parse().unwrap_or_else(|_| panic!("this test cannot read `{expression}`")),
    }
}

#[test]
fn the_numbers_of_the_page_of_defaults_are_those_of_the_code() {
    let page = page("defaults.md");
    let on_page: BTreeMap<&str, u128> =
        rows(&page, "what").into_iter().filter_map(|(what, default)| Some((what, number(default)?))).collect();
    let constants = CONSTANTS.iter().map(|(what, file, name)| (*what, constant(file, name)));
    let in_code: BTreeMap<&str, u128> = constants.chain(fields()).collect();
    assert_eq!(on_page, in_code, "left: host/wisp/docs/defaults.md; right: the code");
    assert_eq!(in_code.len(), CONSTANTS.len() + fields().len(), "a row is there twice");
    // What it reads is what it says.
    assert_eq!([number("2 GiB"), number("1,000"), number("5 ms"), number("off")], [Some(2 << 30), Some(1000), Some(5_000_000), None]);
    assert_eq!([value("24 * 3600"), value("Duration::from_secs(2)"), value("1_000")], [86_400, 2_000_000_000, 1000]);
}

#[test]
fn the_page_of_defaults_has_each_key_of_a_policy_with_a_value_of_its_own() {
    let (page, reference) = (page("defaults.md"), reference::markdown());
    let has_value = |key: &&Key| matches!(key.row().absent, Absent::Number(_) | Absent::Text(_));
    let keys: BTreeSet<String> = Key::ALL.iter().filter(has_value).map(|key| format!("`{}`", key.path())).collect();
    let without = |line: &str| {
        let (key, rest) = line.strip_prefix("| ")?.split_once("<br>")?;
        let (_, rest) = rest.split_once("<br>without it: ")?;
        Some((key.to_owned(), rest.split_once(" | ")?.0.to_owned()))
    };
    let in_code: BTreeMap<String, String> = reference.lines().filter_map(without).filter(|(key, _)| keys.contains(key)).collect();
    let on_page: BTreeMap<String, String> =
        rows(&page, "key").into_iter().map(|(key, without)| (key.to_owned(), without.to_owned())).collect();
    assert_eq!(in_code.len(), keys.len());
    assert_eq!(on_page, in_code, "left: host/wisp/docs/defaults.md; right: the schema");
}

/// The crates of which the library is made.
const LIBRARY: &[&str] = &["api", "components", "net", "policy", "process", "vfs", "wisp", "world"];

/// Where the library reads its environment, and the variables that the page names for it.
const VARIABLES: &[(&str, &str)] = &[
    ("components/lib.rs", "`WISP_COMPONENTS`"),
    ("wisp/exec/network.rs", "the `value_from_env` of a secret"),
    ("wisp/runtime/place.rs", "`XDG_CACHE_HOME`, else `HOME`"),
];

#[test]
fn the_page_of_defaults_has_each_variable_that_the_library_reads() {
    let reads =
        |(path, name): &(PathBuf, String)| LIBRARY.contains(&name.split('/').next().unwrap_or_default()) && code(path).contains("env::var");
    let found: BTreeSet<String> = files().into_iter().filter(reads).map(|(_, name)| name).collect();
    assert_eq!(found, VARIABLES.iter().map(|(file, _)| (*file).to_owned()).collect());
    let page = page("defaults.md");
    let on_page: BTreeSet<&str> = rows(&page, "variable").into_iter().map(|(variable, _)| variable).collect();
    assert_eq!(on_page, VARIABLES.iter().map(|(_, variable)| *variable).collect());
}

#[test]
fn the_tests_that_the_page_on_dropping_names_exist() {
    let page = page("dropping.md");
    let named: BTreeSet<(&str, &str)> = page.split('`').filter_map(|part| part.split_once(".rs::")).collect();
    assert!(named.len() > 20, "{named:?}");
    for (file, test) in named {
        let text = fs::read_to_string(root().join(format!("{file}.rs"))).unwrap_or_else(|error| panic!("{file}.rs: {error}"));
        assert!(text.contains(&format!("fn {test}(")), "{file}.rs has no test `{test}`: name the one that shows it now");
    }
}

/// What has a `drop` of its own, and what ends with a handle.
#[test]
fn the_page_on_dropping_has_each_type_whose_drop_does_something() {
    let (page, api) = (page("dropping.md"), fs::read_to_string(root().join("host/wisp/api.txt")).expect("host/wisp/api.txt"));
    let own: Vec<&str> = api.lines().filter_map(|line| line.strip_prefix("impl core::ops::drop::Drop for wisp::")).collect();
    assert!(own.contains(&"Running"), "{own:?}");
    let first: String = rows(&page, "type").into_iter().map(|(first, _)| format!("{first}\n")).collect();
    for name in own.into_iter().chain(["Engine", "Session", "Shell", "RunningEvaluation", "Snapshot"]) {
        assert!(first.contains(&format!("`{name}`")), "host/wisp/docs/dropping.md has no row for `{name}`");
    }
}

/// A variable that only the code knows is one that no operator finds.
#[test]
fn the_page_for_operators_has_every_variable() {
    let page = fs::read_to_string(root().join("docs/src/operators.md")).expect("the page for operators");
    let mut found = BTreeSet::new();
    for (path, _) in files() {
        let code = code(&path);
        for prefix in ["\"WISP_", "\"XDG_"] {
            for (at, _) in code.match_indices(prefix) {
                let name = code[at + 1..].split('"').next().unwrap_or_default();
                if name.chars().all(|char| char.is_ascii_uppercase() || char == '_') {
                    found.insert(name.to_owned());
                }
            }
        }
    }
    // The date of the sources, which the build sets.
    found.remove("WISP_DATE");
    assert!(found.len() >= 8, "{found:?}");
    let missing: Vec<&String> = found.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/src/operators.md lacks {missing:?}");
}
