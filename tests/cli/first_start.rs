//! The first start on a machine: what is compiled, what is printed, `wisp prepare`, and shipped machine code.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use wisp_tests::wisp::{binary, root};

/// A machine on which wisp never ran.
struct Machine {
    scratch: tempfile::TempDir,
    wisp: PathBuf,
}

impl Machine {
    fn new() -> Self {
        Self { scratch: tempfile::tempdir().expect("a temporary directory"), wisp: binary().expect("the binary") }
    }

    /// The same with a copy of the binary, beside which machine code can be put.
    fn with_copy() -> Self {
        let mut machine = Self::new();
        let copy = machine.path("bin/wisp");
        fs::create_dir(machine.path("bin")).expect("a folder for the binary");
        fs::copy(&machine.wisp, &copy).expect("the binary is copied");
        machine.wisp = copy;
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Runs wisp with the cache of this name.
    fn wisp(&self, cache: &str, args: &[&str]) -> Output {
        let cache = self.path(cache);
        Command::new(&self.wisp).args(args).current_dir(root()).env("XDG_CACHE_HOME", cache).output().expect("wisp runs")
    }

    /// Files of machine code in a cache.
    fn compiled(&self, cache: &str) -> usize {
        let files = fs::read_dir(self.path(cache).join("wisp/code")).expect("the cache is there");
        let files =
            files.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension().is_some_and(|ending| ending == "cwasm"));
        files.filter(|path| fs::read(path).expect("a file of the cache").starts_with(b"\x7fELF")).count()
    }

    /// The tools of the default policy that need no compiling, according to `wisp doctor`.
    fn ready(&self, cache: &str, word: &str) -> Vec<String> {
        // Its code may say that this kernel confines nothing.
        let report = String::from_utf8_lossy(&self.wisp(cache, &["doctor"]).stdout).into_owned();
        let lines = report.lines().filter(|line| line.ends_with(&format!("machine code {word}")));
        lines.filter_map(|line| line.split_whitespace().nth(1).map(str::to_owned)).collect()
    }
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every line of standard error is about compiling.
fn says_only_what_it_waits_for(output: &Output) {
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.lines().all(|line| line.starts_with("wisp: compil")), "{err}");
}

#[test]
fn only_what_is_started_is_compiled() {
    let machine = Machine::new();
    let first = machine.wisp("cache", &["run", "--json", "--", "sh", "-c", "echo hi"]);
    let document: serde_json::Value = serde_json::from_str(&out(&first)).expect("standard output is the document alone");
    assert_eq!(document["stdout"], "hi\n");
    says_only_what_it_waits_for(&first);
    assert_eq!((machine.compiled("cache"), machine.ready("cache", "cached")), (1, vec!["sh".to_owned()]));
    let second = machine.wisp("cache", &["run", "--", "echo", "hi"]);
    assert_eq!(out(&second), "hi\n");
    says_only_what_it_waits_for(&second);
    assert_eq!((machine.compiled("cache"), machine.ready("cache", "cached")), (2, vec!["coreutils".to_owned(), "sh".to_owned()]));
    let again = machine.wisp("cache", &["run", "--", "sh", "-c", "echo hi | cat"]);
    assert_eq!((out(&again).as_str(), again.stderr.len(), machine.compiled("cache")), ("hi\n", 0, 2));
}

#[test]
fn the_clock_stands_still_while_a_tool_is_compiled() {
    let machine = Machine::new();
    // Compiling coreutils takes two processors longer than the command's limit.
    let run = ["run", "--timeout", "1s", "--", "sh", "-c", "seq 3 | tail -n 1"];
    let output = machine.wisp("cache", &run);
    assert_eq!(out(&output), "3\n");
    // Or more, if a processor was idle.
    assert!(machine.compiled("cache") >= 2);
}

#[test]
fn prepare_compiles_what_is_named_once_and_for_each_way_of_counting() {
    let machine = Machine::new();
    let prepared = machine.wisp("cache", &["prepare", "bash"]);
    let said = String::from_utf8_lossy(&prepared.stderr);
    assert!(!said.contains("wisp prepare"), "it recommends itself: {said}");
    let first = out(&prepared);
    let lines: Vec<&str> = first.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].starts_with("sh ") && lines[0].contains("compiled in ") && lines[1].ends_with("code: 1 ready"),
        "{first}"
    );
    assert_eq!(machine.ready("cache", "cached"), ["sh"]);
    let second = out(&machine.wisp("cache", &["prepare", "--instructions", "sh"]));
    assert!(
        second.contains("was in the cache\n") && second.contains(", instructions counted\n") && second.ends_with(": 2 ready\n"),
        "{second}"
    );
    assert_eq!(machine.compiled("cache"), 2);
    let unknown = machine.wisp("cache", &["prepare", "sh", "emacs"]);
    assert_eq!(unknown.status.code(), Some(2));
    let err = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(err.contains("`emacs` is not a program of the policy `offline`") && err.contains("python3"), "{err}");
    let nowhere =
        Command::new(&machine.wisp).args(["prepare", "sh"]).env_remove("XDG_CACHE_HOME").env_remove("HOME").output().expect("wisp runs");
    assert_eq!(nowhere.status.code(), Some(125));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("XDG_CACHE_HOME"));
}

#[test]
fn machine_code_beside_the_binary_is_used_and_never_trusted() {
    let machine = Machine::with_copy();
    let code = machine.path("bin/wisp.code");
    let prepared = out(&machine.wisp("maker", &["prepare", "sh", "--into", &code.to_string_lossy()]));
    assert!(prepared.contains("bin/wisp.code: "), "{prepared}");
    let run = |cache: &str| {
        let output = machine.wisp(cache, &["run", "--", "sh", "-c", "echo hi"]);
        assert_eq!(out(&output), "hi\n");
        (machine.compiled(cache), output.stderr.is_empty())
    };
    assert_eq!(run("fresh"), (0, true));
    assert_eq!(machine.ready("fresh", "shipped with wisp"), ["sh"]);
    let mut files = fs::read_dir(&code).expect("the code").map(|entry| entry.expect("an entry").path());
    let file = files.find(|path| fs::read(path).expect("a file").starts_with(b"\x7fELF")).expect("machine code");
    let mut bytes = fs::read(&file).expect("the code");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).expect("it is changed");
    assert_eq!(run("damaged").0, 1, "it is compiled instead");
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).expect("it is changed back");
    assert_eq!(run("whole").0, 0);
}

#[test]
fn without_a_cache_that_can_be_written_wisp_goes_on_and_says_so() {
    let machine = Machine::new();
    fs::write(machine.path("file"), "").expect("a file");
    let script = "echo hi | cat | wc -c";
    let run = machine.wisp("file/cache", &["run", "--", "sh", "-c", script]);
    assert_eq!(out(&run), "3\n");
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    let lines: Vec<&str> = err.lines().collect();
    assert!(
        lines.len() <= 2 && lines[0].starts_with("wisp: the cache directory `") && lines[0].ends_with("what is compiled is not kept"),
        "{err}"
    );
    assert!(lines[1..].iter().all(|line| line.ends_with(", in each run: no cache keeps it")), "{err}");
    // A program that reads the document reads what went wrong, and nothing else.
    let document = machine.wisp("file/cache", &["run", "--json", "--", "sh", "-c", script]);
    assert!(out(&document).contains("\"stdout\": \"3\\n\"") && document.stderr.is_empty(), "{document:?}");
    // The next run may use it: no guest writes there.
    let mount = format!("{}:/mnt/all:write", machine.path("").display());
    let mounted = machine.wisp("file/cache", &["run", "--mount", &mount, "--", "true"]);
    assert!(mounted.status.code() == Some(2) && String::from_utf8_lossy(&mounted.stderr).contains("wisp's cache"), "{mounted:?}");
    // What only compiles has failed.
    let prepared = machine.wisp("file/cache", &["prepare", "sh"]);
    assert!(prepared.status.code() == Some(125) && String::from_utf8_lossy(&prepared.stderr).contains("cannot be kept"), "{prepared:?}");
    let report = String::from_utf8_lossy(&machine.wisp("file/cache", &["doctor"]).stdout).into_owned();
    assert!(report.lines().any(|line| line.starts_with("--   code cache")), "{report}");
}

#[test]
fn two_lines_say_what_is_compiled_and_none_where_a_program_reads_them() {
    let machine = Machine::new();
    // What takes a second at least is said.
    let args = ["--", "sh", "-c", "python3 -c 'print(\"hi\")' | wc -c"];
    let first = machine.wisp("cache", &[&["run"][..], &args].concat());
    assert_eq!(out(&first), "3\n");
    let err = String::from_utf8_lossy(&first.stderr).into_owned();
    assert!(err.lines().count() == 2 && err.lines().next().is_some_and(|line| line.contains("what `offline` grants, once")), "{err}");
    // Other grants need other code.
    let other = machine.wisp("cache", &[&["run", "--allow", "https://docs.example/"][..], &args].concat());
    let err = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(err.lines().count() == 2 && err.contains("what `offline` grants with these options, once"), "{err}");
    let quiet = machine.wisp("fresh", &[&["run", "--json"][..], &args].concat());
    assert!(out(&quiet).contains("3\\n") && quiet.stderr.is_empty(), "{quiet:?}");
}
