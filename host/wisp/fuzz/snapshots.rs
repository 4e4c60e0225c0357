//! Targets: snapshot files with changes before and after their checksums. A checksum is not a seal: a forged file can
//! have a right one. So every file must give an error or a snapshot, and a snapshot can be written, read again, and
//! is the same.
//!
//! A bounded run starts from a file that wisp wrote. It changes its bytes (lengths of frames, cuts, flips), the bytes
//! of a compressed part, the order of parts, or their contents: values of the facts, the shell's state or the pages,
//! the files.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::LazyLock;

use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use wisp::{Engine, InterpreterSnapshot, Policy, Session, ShellSnapshot, SnapshotFileError};
use wisp_policy::NoFiles;
use wisp_vfs::OpenHow;

use crate::container::{Container, HEAD, frames};
use crate::input::Input;

/// Memory limit for an interpreter here: slightly more than Python needs.
const POLICY: &str =
    "name = \"fuzz\"\n[tools]\nallow = [\"python3\"]\n[limits]\nmemory = \"96MiB\"\n[filesystem]\nquota = \"300KiB\"\nmax_files = 60\n";

/// Replacement values for a fact.
static HOSTILE: LazyLock<Vec<Value>> = LazyLock::new(|| {
    vec![
        json!(null),
        json!(0),
        json!(1),
        json!(4096),
        json!(-1),
        json!(u64::MAX),
        json!(u64::MAX - 65_535),
        json!(1_u64 << 32),
        json!(1e300),
        json!(true),
        json!(""),
        json!("0"),
        json!("/output/a"),
        json!("/etc/passwd\u{1b}[2J"),
        json!("x".repeat(5_000)),
        json!([]),
        json!({}),
        json!([0, 4096]),
        json!([[0, 4096]]),
        json!([[0, u64::MAX]]),
        json!([[4096, 0]]),
        json!([["/output/a", "t", "image/png"]]),
        json!(vec![[0, 4096]; 300]),
    ]
});

struct World {
    runtime: Runtime,
    session: Session,
    /// The files that wisp wrote for a shell and an interpreter, with their parts.
    valid: [(Vec<u8>, Container); 2],
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let policy = Policy::parse(&NoFiles, "fuzz.toml", POLICY).expect("the policy above is valid");
    let engine = Engine::new(wisp_built::components()).expect("an engine");
    let (session, files) = runtime.block_on(async {
        let session = engine.session(&policy).build().await.expect("a session");
        let fs = wisp::internal::fs(&session);
        let how = OpenHow { write: true, create: true, ..OpenHow::default() };
        for (path, size) in [("/home/user/small", 20), ("/home/user/large", 100_000)] {
            fs.open(&fs.root(), path, how).and_then(|file| file.write_at(0, &vec![7; size])).expect("it can be written");
        }
        fs.symlink(&fs.root(), "small", "/home/user/link").expect("it is new");
        let shell = session.shell_from(&b"what a shell knows is its own business"[..]).snapshot();
        let shell = shell.save(Vec::new()).await.expect("it can be saved");
        let mut python = session.python().await.expect("python");
        python.eval("x = 41").await.expect("it runs");
        let interpreter = python.snapshot().await.expect("a snapshot").save(Vec::new()).await.expect("it can be saved");
        (session, [shell, interpreter])
    });
    let valid = files.map(|file| (file.clone(), Container::read(&file)));
    World { runtime, session, valid }
});

/// As which of the two a file is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shell,
    Interpreter,
}

/// Reads a file; if it is accepted, returns what it is when written again.
fn read(kind: Kind, file: Vec<u8>) -> Result<Vec<u8>, SnapshotFileError> {
    let session = &WORLD.session;
    WORLD.runtime.block_on(async {
        match kind {
            Kind::Shell => ShellSnapshot::load(session, Cursor::new(file)).await?.save(Vec::new()).await,
            Kind::Interpreter => InterpreterSnapshot::load(session, Cursor::new(file)).await?.save(Vec::new()).await,
        }
    })
}

/// Checks one file; returns the error if it was refused.
fn check(kind: Kind, file: Vec<u8>) -> &'static str {
    match read(kind, file) {
        Ok(once) => {
            let twice = read(kind, once.clone()).expect("what was accepted can be written and read");
            assert!(once == twice, "what was accepted is another snapshot when it was written and read");
            "accepted"
        }
        Err(error) => {
            let said = error.to_string();
            assert!(said.len() < 2_000 && !said.contains(|c: char| c.is_control()), "{said:?}");
            name(&error)
        }
    }
}

fn name(error: &SnapshotFileError) -> &'static str {
    match error {
        SnapshotFileError::NotSnapshot => "not a snapshot",
        SnapshotFileError::OtherFormat { .. } => "other format",
        SnapshotFileError::OtherVersion { .. } => "other version",
        SnapshotFileError::OtherBuild { .. } => "other build",
        SnapshotFileError::OtherWorld { .. } => "other world",
        SnapshotFileError::NoTool { .. } => "no tool",
        SnapshotFileError::Truncated { .. } => "truncated",
        SnapshotFileError::Damaged { .. } => "damaged",
        SnapshotFileError::Malformed { .. } => "malformed",
        SnapshotFileError::TooLarge { .. } => "too large",
        SnapshotFileError::Files(_) => "files",
        other => panic!("no file can be the reason for this: {other}"),
    }
}

pub(crate) fn shell(bytes: &[u8]) {
    check(Kind::Shell, changed(Kind::Shell, bytes));
}

pub(crate) fn interpreter(bytes: &[u8]) {
    check(Kind::Interpreter, changed(Kind::Interpreter, bytes));
}

/// Returns the file with the changes that an input describes.
fn changed(kind: Kind, bytes: &[u8]) -> Vec<u8> {
    let mut input = Input::new(bytes);
    let (file, container) = &WORLD.valid[kind as usize];
    match input.byte() % 8 {
        // Before the checksums.
        0 => damaged(&mut input, file.clone()),
        1 => forged_length(&mut input, file.clone()),
        // After them: the frames' own bytes, and their contents.
        2 => {
            let mut parts = container.packed();
            let part = usize::from(input.byte()) % 3;
            parts[part] = damaged(&mut input, std::mem::take(&mut parts[part]));
            frames(&container.head, container.kinds, &parts)
        }
        3 => shuffled(&mut input, container),
        4 | 5 => {
            let mut forged = container.clone();
            for _ in 0..=input.byte() % 2 {
                let mut all = Vec::new();
                places(&forged.facts, "", &mut all);
                let place = &all[usize::from(input.byte()) % all.len()];
                change(&mut forged.facts, place, &HOSTILE[usize::from(input.byte()) % HOSTILE.len()]);
            }
            forged.write()
        }
        6 => {
            let mut forged = container.clone();
            forged.memory = damaged(&mut input, forged.memory);
            forged.write()
        }
        _ => {
            let mut forged = container.clone();
            forged.files = damaged(&mut input, forged.files);
            forged.write()
        }
    }
}

/// Returns a number below `len`, often near the beginning: the headers of frames, of zstd and of the archive are there.
fn place(input: &mut Input<'_>, len: usize) -> usize {
    let number = (0..4).fold(0, |number, _| number << 8 | usize::from(input.byte()));
    number % if input.once_in(2) { len.min(200) } else { len }
}

fn damaged(input: &mut Input<'_>, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=input.byte() % 3 {
        if bytes.is_empty() {
            break;
        }
        let at = place(input, bytes.len());
        match input.byte() % 6 {
            0 => bytes.truncate(at),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, input.byte()),
            3 => bytes[at] ^= 1 << (input.byte() % 8),
            4 => bytes[at] = input.pick(&[0, 1, 0x7f, 0x80, 0xff]),
            // A piece of it again elsewhere.
            _ => {
                let from = place(input, bytes.len());
                let piece = bytes[from..bytes.len().min(from + 1 + usize::from(input.byte()))].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

/// Returns the file with another length of one of its frames, or another kind.
fn forged_length(input: &mut Input<'_>, mut file: Vec<u8>) -> Vec<u8> {
    let (mut at, mut skip) = (HEAD, input.byte() % 4);
    loop {
        let len = u32::from_le_bytes(file[at + 1..at + 5].try_into().expect("four bytes")) as usize;
        let next = at + 5 + len + 32;
        if skip == 0 || next >= file.len() {
            break;
        }
        (at, skip) = (next, skip - 1);
    }
    if input.once_in(4) {
        file[at] = input.byte();
    } else {
        let forged = input.pick(&[0, 1, 31, 256 << 10, (256 << 10) + 1, 1 << 20, i32::MAX as u32, u32::MAX]);
        file[at + 1..at + 5].copy_from_slice(&forged.to_le_bytes());
    }
    file
}

/// Returns its parts in another order, twice, left out, or of the other kind of snapshot; all checksums are right.
fn shuffled(input: &mut Input<'_>, container: &Container) -> Vec<u8> {
    let packed = container.packed();
    let mut part = || packed[usize::from(input.byte()) % 3].clone();
    let mut parts = [part(), part(), part()];
    if input.once_in(2) {
        let other = &WORLD.valid[usize::from(input.byte()) % 2].1;
        parts = other.packed();
    }
    if input.once_in(3) {
        let twice = parts[usize::from(input.byte()) % 3].clone();
        parts[usize::from(input.byte()) % 3].extend(twice);
    }
    let mut kinds = container.kinds;
    if input.once_in(3) {
        kinds[usize::from(input.byte()) % 3] = input.byte() % 8;
    }
    frames(&container.head, kinds, &parts[..usize::from(input.byte() % 4)])
}

/// Collects where values of the facts are, from the outside in; for long lists, the first few.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    match value {
        Value::Array(items) => items.iter().enumerate().take(3).for_each(|(number, item)| places(item, &format!("{path}/{number}"), found)),
        Value::Object(items) => items.iter().for_each(|(name, item)| places(item, &format!("{path}/{name}"), found)),
        _ => {}
    }
}

/// Replaces a value with another.
fn change(facts: &mut Value, place: &str, with: &Value) {
    *facts.pointer_mut(place).expect("there is such a place") = with.clone();
}

/// The targets must reach accepted files and every kind of refusal.
#[test]
fn changed_snapshot_files_are_accepted_and_refused_for_every_reason() {
    let mut state = 42_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    let mut seen = BTreeSet::new();
    for round in 0..1_000 {
        let bytes: [u8; 40] = std::array::from_fn(|_| next());
        let kind = if round % 10 == 0 { Kind::Interpreter } else { Kind::Shell };
        seen.insert(check(kind, changed(kind, &bytes)));
    }
    // Few inputs change these.
    for place in ["/tool", "/component", "/memory/size"] {
        for value in &*HOSTILE {
            let mut forged = WORLD.valid[Kind::Interpreter as usize].1.clone();
            change(&mut forged.facts, place, value);
            seen.insert(check(Kind::Interpreter, forged.write()));
        }
    }
    let every = [
        "accepted",
        "damaged",
        "files",
        "malformed",
        "no tool",
        "not a snapshot",
        "other build",
        "other format",
        "other version",
        "other world",
        "too large",
        "truncated",
    ];
    assert_eq!(seen, BTreeSet::from(every));
}

/// A part that unpacks to a gigabyte is refused before it is unpacked: the process never holds that much.
#[test]
fn a_part_that_unpacks_to_a_gigabyte_is_not_unpacked() {
    let bomb = zstd::stream::encode_all(std::io::Read::take(std::io::repeat(0), 1 << 30), 1).expect("zeros can be compressed");
    for (kind, (file, container)) in [Kind::Shell, Kind::Interpreter].into_iter().zip(&WORLD.valid) {
        assert_eq!(check(kind, file.clone()), "accepted");
        for part in 0..3 {
            let mut parts = container.packed();
            parts[part] = bomb.clone();
            let refused = check(kind, frames(&container.head, container.kinds, &parts));
            assert!(["malformed", "files"].contains(&refused), "part {part}: {refused}");
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says what a process holds");
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    assert!(most.expect("the most that it held") < 900 << 10, "{most:?} KiB");
}
