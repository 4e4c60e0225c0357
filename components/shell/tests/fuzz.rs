//! Fuzzing, bounded and seeded: the parser accepts any bytes and terminates; what it accepts, it prints as text that it
//! accepts again; and random scripts behave as in bash.
//!
//! There are three kinds of scripts: of commands (`generate.rs`), of words and state (`state.rs`, `control.rs`), and of what
//! is computed (`compute.rs`); of the last two the messages are compared too. The files `fuzz/*.txt` hold bash 5.2's results
//! for the scripts of the first seeds. `WISP_SHELL_FUZZ=N cargo test -p wisp-shell --no-default-features --test fuzz` compares N other seeds
//! with the machine's bash, in a jail, starting at `WISP_SHELL_SEED`; with `WISP_SHELL_BLESS=1` it rewrites the files.

#[path = "fuzz/compute.rs"]
mod compute;
#[path = "fuzz/control.rs"]
mod control;
#[path = "fuzz/generate.rs"]
mod generate;
#[path = "fuzz/state.rs"]
mod state;

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use generate::Chance;
use wisp_shell::parser::Parser;

/// A kind of scripts.
struct Kind {
    script: fn(&mut Chance) -> String,
    /// The file with bash's results, and its number of seeds.
    file: &'static str,
    kept: u64,
    /// Kept seeds whose scripts still differ. Remove a seed that no longer differs.
    differ: &'static [u64],
}

/// Where `IFS` is empty bash leaks a byte of its own out of `${arr[@]#p}`.
const COMMANDS: Kind = Kind { script: Chance::script, file: "fuzz/bash.txt", kept: 400, differ: &[319, 345] };

/// Known kinds of differences: which error comes first in arithmetic that cannot be parsed, lines within substitutions, a list
/// whose elements bash takes together with text beside it, and that byte again.
const STATE: Kind = Kind {
    script: Chance::state_script,
    file: "fuzz/state.txt",
    kept: 400,
    differ: &[
        3, 14, 19, 41, 64, 81, 90, 95, 103, 132, 135, 136, 152, 157, 160, 163, 165, 167, 207, 218, 236, 250, 264, 290, 314, 316, 332, 344,
        348, 361, 366, 373, 391, 393, 396,
    ],
};

/// Known kinds of differences: a variable that is exported below the call it was assigned for, and set by `declare -g`; a
/// name that follows an expression by mistake, which bash evaluates; a tilde in `[i=3]=~`.
const COMPUTE: Kind = Kind {
    script: Chance::compute_script,
    file: "fuzz/compute.txt",
    kept: 400,
    differ: &[
        49, 70, 74, 100, 105, 110, 119, 140, 144, 162, 165, 185, 196, 201, 209, 217, 223, 231, 248, 280, 293, 301, 302, 304, 311, 323, 339,
        357, 365, 374, 376, 380, 394, 396,
    ],
};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
}

/// The entries of a machine's root that exist for bash's sake; scripts that see more of it (`/*`) are not kept.
const BARE: &str = "--unshare-all --die-with-parent --cap-drop ALL --ro-bind /usr/bin /usr/bin --ro-bind /bin /bin --ro-bind /lib /lib \
     --ro-bind-try /lib64 /lib64 --ro-bind-try /usr/lib/locale /usr/lib/locale --tmpfs /tmp --tmpfs /home --dev /dev --proc /proc";

/// The machine's root, mounted read-only.
const WHOLE: &str = "--unshare-all --die-with-parent --cap-drop ALL --ro-bind / / --tmpfs /tmp --tmpfs /home --dev /dev";

/// Run a script in a folder of its own, with the shell or, in a jail with these arguments, with bash; returns its
/// output and its status.
fn run(shell: &str, jail: Option<&str>, script: &str, number: u64) -> (Vec<u8>, i32) {
    let place = std::env::temp_dir().join(format!("wisp-fuzz-{}-{:?}-{number}", std::process::id(), std::thread::current().id()));
    std::fs::create_dir_all(&place).expect("a folder below the temporary one");
    let mut command = if let Some(jail) = jail {
        let mut command = Command::new("bwrap");
        command
            .args(jail.split_whitespace())
            .arg("--bind")
            .args([place.as_path(), Path::new("/tmp/w")])
            .args(["--chdir", "/tmp/w", "--", "timeout", "10", shell]);
        command
    } else {
        let mut command = Command::new("timeout");
        command.args(["10", shell]).current_dir(&place);
        command
    };
    command.args(["-c", script, "fuzz"]).env_clear();
    let output = command
        .envs([("PATH", "/usr/bin:/bin"), ("HOME", "/home/user"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC")])
        .stdin(Stdio::null())
        .output()
        .expect("timeout(1), and for bash bwrap(1), are there");
    // Left behind only if it cannot be removed.
    let _ = std::fs::remove_dir_all(&place);
    (output.stdout, output.status.code().unwrap_or(-1))
}

/// FNV-1a: enough to see that two outputs differ.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn does_what_bash_did(kind: &Kind) {
    let file = folder().join(kind.file);
    if std::env::var_os("WISP_SHELL_BLESS").is_some() {
        let mut text = String::new();
        for seed in 0..kind.kept {
            let script = (kind.script)(&mut Chance::new(seed));
            let (out, status) = run("/bin/bash", Some(WHOLE), &script, seed);
            if run("/bin/bash", Some(BARE), &script, seed).0 != out {
                continue;
            }
            writeln!(text, "{seed} {status} {:016x}", hash(&out)).expect("a string takes anything");
        }
        std::fs::write(&file, text).expect("the folder can be written");
        return;
    }
    let mut wrong = Vec::new();
    for line in std::fs::read_to_string(&file).expect("the file is part of the crate").lines() {
        let seed = line.split(' ').next().and_then(|seed| seed.parse().ok()).expect("a line begins with a seed");
        let script = (kind.script)(&mut Chance::new(seed));
        let (out, status) = run(env!("CARGO_BIN_EXE_sh"), None, &script, seed);
        if (format!("{seed} {status} {:016x}", hash(&out)) != line) != kind.differ.contains(&seed) {
            println!("=== seed {seed}\n{script}\n--- ended with {status}, printed\n{}", String::from_utf8_lossy(&out));
            wrong.push(seed.to_string());
        }
    }
    assert!(wrong.is_empty(), "{} of {} seeds are not as expected: {}; their scripts stand above", wrong.len(), kind.kept, wrong.join(" "));
}

#[test]
fn random_scripts_behave_as_under_bash() {
    does_what_bash_did(&COMMANDS);
}

#[test]
fn random_words_and_state_behave_as_under_bash() {
    does_what_bash_did(&STATE);
}

#[test]
fn random_computations_behave_as_under_bash() {
    does_what_bash_did(&COMPUTE);
}

fn beside_bash(kind: &Kind) {
    let number = |name| std::env::var(name).ok().and_then(|count| count.parse::<u64>().ok());
    let Some(count) = number("WISP_SHELL_FUZZ") else { return };
    let first = number("WISP_SHELL_SEED").unwrap_or(kind.kept);
    let mut wrong = 0;
    for seed in first..first + count {
        let script = (kind.script)(&mut Chance::new(seed));
        let (wanted, found) = (run("/bin/bash", Some(WHOLE), &script, seed), run(env!("CARGO_BIN_EXE_sh"), None, &script, seed));
        // Scripts that bash does not accept are not compared.
        if wanted.1 == 2 || wanted == found {
            continue;
        }
        wrong += 1;
        report(seed, &script, &String::from_utf8_lossy(&wanted.0), &String::from_utf8_lossy(&found.0));
    }
    assert_eq!(wrong, 0, "of {count} scripts");
}

/// Print the snippets whose output differs: the marks `#N STATUS` follow the output of each.
fn report(seed: u64, script: &str, mut one: &str, mut other: &str) {
    for (number, snippet) in script.split("\n(\n").skip(1).enumerate() {
        let mark = format!("#{number} ");
        let cut = |text: &str| text.find(&mark).map_or(text.len(), |at| text[at..].find('\n').map_or(text.len(), |end| at + end + 1));
        let (left, right) = (&one[..cut(one)], &other[..cut(other)]);
        if left != right {
            let snippet = snippet.split("\n)").next().unwrap_or_default();
            let prologue = script.split("\n(\n").next().unwrap_or_default();
            println!("=== seed {seed}\n{prologue}\n(\n{snippet}\n- {left}+ {right}");
        }
        (one, other) = (&one[left.len()..], &other[right.len()..]);
    }
}

#[test]
fn other_random_scripts_behave_as_under_the_machines_bash() {
    beside_bash(&COMMANDS);
}

#[test]
fn other_random_words_and_state_behave_as_under_the_machines_bash() {
    beside_bash(&STATE);
}

#[test]
fn other_random_computations_behave_as_under_the_machines_bash() {
    beside_bash(&COMPUTE);
}

/// A parser as the shell makes one.
fn parser(text: &[u8]) -> Parser {
    let mut parser = Parser::new(text.to_vec(), 1, Rc::from(&b"fuzz"[..]));
    parser.extglob = true;
    parser
}

/// A text as words: line ends do not matter.
fn words(text: &[u8]) -> String {
    String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_parser_accepts_any_bytes_and_terminates() {
    let mut scripts: Vec<Vec<u8>> = Vec::new();
    for group in std::fs::read_dir(folder().join("cases")).expect("the cases").flatten() {
        for case in std::fs::read_dir(group.path()).expect("groups are folders").flatten() {
            if case.path().extension().is_some_and(|extension| extension == "sh") {
                scripts.push(std::fs::read(case.path()).expect("a case"));
            }
        }
    }
    scripts.sort();
    let mut chance = Chance::new(7);
    for round in 0..6000 {
        let mut text = scripts[chance.below(scripts.len())].clone();
        if round % 3 == 0 {
            text = if round % 2 == 0 { chance.script() } else { chance.state_script() }.into_bytes();
        }
        let edits = chance.below(4);
        let whole = edits == 0;
        for _ in 0..edits {
            let at = chance.below(text.len().max(1));
            match chance.below(4) {
                0 => _ = text.drain(at..(at + chance.below(9)).min(text.len())),
                1 => text.insert(at.min(text.len()), b"'\"`$(){}[]<>|&;\\\n #*!=~\0\xff"[chance.below(25)]),
                2 => text.truncate(at),
                _ => {
                    let (from, to) = (chance.below(text.len().max(1)), chance.below(text.len().max(1)));
                    let piece = text[from.min(to)..from.max(to)].to_vec();
                    text.splice(at..at, piece.into_iter().take(40));
                }
            }
        }
        let began = Instant::now();
        let parsed = parser(&text).whole();
        assert!(began.elapsed() < Duration::from_secs(20), "a parser that does not end:\n{}", String::from_utf8_lossy(&text));
        // Damaged here-documents have delimiters that cannot be written again.
        let Ok(list) = &parsed else { continue };
        if !whole && text.windows(2).any(|pair| pair == b"<<") {
            continue;
        }
        let printed = wisp_shell::print::list_script(list, 1);
        match parser(&printed).whole() {
            Ok(again) => {
                let twice = wisp_shell::print::list_script(&again, 1);
                // Line numbers may differ; the commands are the same.
                assert_eq!(words(&printed), words(&twice), "{}", String::from_utf8_lossy(&text));
            }
            Err(error) => {
                panic!("{}: printed as\n{}\nof\n{}", error.message, String::from_utf8_lossy(&printed), String::from_utf8_lossy(&text))
            }
        }
    }
}
