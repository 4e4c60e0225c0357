//! Snapshots of interpreters in files: what is restored, in this process and in another; what is refused, each with
//! an accepted twin; and that no file, however it was made, harms the host. The archive of files inside has its own
//! tests.

use std::io::Cursor;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use wisp::policy::HostFiles;
use wisp::{Engine, Interpreter, InterpreterSnapshot, Policy, Session, SnapshotFileError};
use wisp_tests::container::{Container, HEAD, INTERPRETER, Random, frames};
use wisp_tests::engine::{ENGINE, engine};

type Loaded = Result<InterpreterSnapshot, SnapshotFileError>;

/// Set in the process that loads what another saved.
const CHILD: &str = "WISP_TEST_SNAPSHOT";

fn policy(text: &str) -> Policy {
    Policy::parse(&HostFiles, "test.toml", text).expect("the test's policy")
}

/// Only Python, with these lines of a policy.
async fn session_on(engine: &Engine, more: &str) -> Session {
    let text = format!("name = \"test\"\n[tools]\nallow = [\"python3\"]\n{more}");
    engine.session(&policy(&text)).build().await.expect("the session")
}

async fn session(more: &str) -> Session {
    session_on(&ENGINE, more).await
}

async fn eval(interpreter: &mut Interpreter, code: &str) -> String {
    let cell = interpreter.eval(code).await.expect("it is alive");
    assert!(cell.success(), "{code}: {:?} {}", cell.error, cell.outcome.stderr_text());
    cell.stdout_text().into_owned()
}

async fn saved(interpreter: &mut Interpreter) -> Vec<u8> {
    let snapshot = interpreter.snapshot().await.expect("a snapshot");
    snapshot.save(Vec::new()).await.expect("it can be saved")
}

/// A small snapshot, of a session without special features.
async fn small() -> Vec<u8> {
    static SMALL: tokio::sync::OnceCell<Vec<u8>> = tokio::sync::OnceCell::const_new();
    let make = async || {
        let mut interpreter = session("").await.python().await.expect("python");
        eval(&mut interpreter, "x = 41; open('note', 'w').write('kept')").await;
        saved(&mut interpreter).await
    };
    SMALL.get_or_init(make).await.clone()
}

async fn load(session: &Session, bytes: Vec<u8>) -> Loaded {
    InterpreterSnapshot::load(session, Cursor::new(bytes)).await
}

const STATE: &str = "
import itertools
class P:
    def __init__(self, x): self.x = x
    def twice(self): return self.x * 2
ps = [P(i) for i in range(1000)]
def adder(k):
    return lambda z: z + k
add5 = adder(5)
squares = (i * i for i in itertools.count())
_ = [next(squares) for _ in range(4)]
buffer = bytearray(3_000_000); buffer[2_999_999] = 7
import os
os.makedirs('/home/user/d', exist_ok=True)
open('/home/user/d/file', 'w').write('text')
os.symlink('file', '/home/user/d/link')
os.link('/home/user/d/file', '/home/user/d/hard')
os.rmdir('/mnt')
";

const LOOK: &str = "
print(ps[77].twice(), add5(1), next(squares), buffer[2_999_999], len(buffer))
print(open('/home/user/d/link').read(), os.stat('/home/user/d/hard').st_nlink, os.path.exists('/mnt'), open('/etc/passwd').read()[:4])
";

const SEEN: &str = "154 6 16 7 3000000\ntext 2 False root\n";

#[tokio::test]
async fn another_engine_goes_on_from_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.snapshot");
    let mut interpreter = session("").await.python().await.expect("python");
    eval(&mut interpreter, STATE).await;
    interpreter.snapshot().await.expect("a snapshot").to_file(&path).await.expect("it is written");
    assert_eq!(std::fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside it");
    assert_eq!(eval(&mut interpreter, LOOK).await, SEEN, "the parent continues");

    let here = session_on(&engine(), "").await;
    let snapshot = InterpreterSnapshot::from_file(&here, &path).await.expect("it is loaded");
    std::fs::remove_file(&path).expect("the file can be removed");
    let mut first = snapshot.fork().await.expect("a fork");
    let mut second = snapshot.fork().await.expect("another");
    assert_eq!(eval(&mut first, LOOK).await, SEEN);
    eval(&mut first, "ps.clear(); open('/home/user/d/file', 'w').write('other')").await;
    assert_eq!(eval(&mut second, LOOK).await, SEEN, "siblings share nothing");
    assert_eq!(eval(&mut first, "print(len(ps), open('/home/user/d/hard').read())").await, "0 other\n");
    // Each has its own randomness.
    let chance = "import random, os; print(random.random(), os.urandom(4).hex())";
    assert_ne!(eval(&mut first, chance).await, eval(&mut second, chance).await);

    // A living session changes to it, and a snapshot of what was loaded is an ordinary one.
    let mut living = here.python().await.expect("python");
    living.restore(&snapshot).await.expect("it is of the same policy");
    assert_eq!(eval(&mut living, LOOK).await, SEEN);
    eval(&mut living, "more = bytearray(9_000_000)").await;
    let again = load(&session("").await, saved(&mut living).await).await.expect("it is loaded");
    assert_eq!(
        eval(&mut again.fork().await.expect("a fork"), "print(next(squares), len(more), buffer[2_999_999])").await,
        "25 9000000 7\n"
    );
}

#[tokio::test]
async fn another_process_goes_on_from_it() {
    if let Some(path) = std::env::var_os(CHILD) {
        let snapshot = InterpreterSnapshot::from_file(&session("").await, path).await.expect("it is loaded");
        print!("[{}]", eval(&mut snapshot.fork().await.expect("a fork"), LOOK).await);
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.snapshot");
    let mut interpreter = session("").await.python().await.expect("python");
    eval(&mut interpreter, STATE).await;
    interpreter.snapshot().await.expect("a snapshot").to_file(&path).await.expect("it is written");
    let mut child = std::process::Command::new(std::env::current_exe().expect("this test"));
    let child = child
        .args(["--exact", "snapshot_file::another_process_goes_on_from_it", "--nocapture"])
        .env(CHILD, &path)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(said.contains(&format!("[{SEEN}]")), "{said}{}", String::from_utf8_lossy(&child.stderr));
}

#[tokio::test]
async fn a_deterministic_one_goes_on_as_it_would_have() {
    const FIXED: &str = "[determinism]\nseed = 5";
    const NEXT: &str =
        "import random, time, os, uuid; print(random.random(), time.time_ns(), os.urandom(8).hex(), uuid.uuid4(), hash('a'))";
    let mut interpreter = session(FIXED).await.python().await.expect("python");
    eval(&mut interpreter, NEXT).await;
    let bytes = saved(&mut interpreter).await;
    let parent = eval(&mut interpreter, NEXT).await;
    let other = session_on(&engine(), FIXED).await;
    for _ in 0..2 {
        let snapshot = load(&other, bytes.clone()).await.expect("it is loaded");
        for _ in 0..2 {
            assert_eq!(eval(&mut snapshot.fork().await.expect("a fork"), NEXT).await, parent);
        }
    }
    let error = load(&session("[determinism]\nseed = 6").await, bytes.clone()).await.expect_err("of another seed");
    assert!(matches!(error, SnapshotFileError::OtherWorld { what: "determinism", .. }), "{error}");
    assert!(load(&session("").await, bytes).await.is_err(), "of a session without determinism");
    assert!(load(&other, small().await).await.is_err(), "of a session with it");
}

#[tokio::test]
async fn every_cut_and_every_flip_is_found() {
    let (bytes, session) = (small().await, session("").await);
    assert!(load(&session, bytes.clone()).await.is_ok());
    for part in 0..64 {
        let at = bytes.len() * part / 64;
        match load(&session, bytes[..at].to_vec()).await.err() {
            Some(SnapshotFileError::Truncated { at: said }) => assert_eq!(said, at as u64),
            Some(SnapshotFileError::NotSnapshot) if at == 0 => {}
            other => panic!("cut after {at} of {} bytes: {other:?}", bytes.len()),
        }
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (part % 8);
        match load(&session, flipped).await.err() {
            Some(SnapshotFileError::Damaged { .. }) if at >= HEAD => {}
            Some(SnapshotFileError::NotSnapshot) if at < 8 => {}
            other => panic!("bit {} of byte {at} of {}: {other:?}", part % 8, bytes.len()),
        }
    }
    let mut last = bytes.clone();
    *last.last_mut().expect("it is not empty") ^= 1;
    assert!(matches!(load(&session, last).await, Err(SnapshotFileError::Damaged { .. })));
}

/// The message of a refusal.
async fn refusal(session: &Session, bytes: Vec<u8>) -> String {
    load(session, bytes).await.expect_err("it is to be refused").to_string()
}

#[tokio::test]
async fn a_file_that_does_not_fit_is_refused_with_the_reason() {
    let (bytes, here) = (small().await, session("").await);
    let valid = Container::read(&bytes);
    assert!(load(&here, valid.write()).await.is_ok(), "the format is what it is said to be");
    let with = |change: &dyn Fn(&mut Container)| {
        let mut container = valid.clone();
        change(&mut container);
        container.write()
    };
    let says = async |part: &str, bytes: Vec<u8>| {
        let said = refusal(&here, bytes).await;
        assert!(said.contains(part), "{said}\nshould say: {part}");
    };
    says("not a snapshot file of wisp", b"#!/bin/sh\necho something else entirely\n".to_vec()).await;
    says("format 2, and this wisp reads 1", with(&|it| it.head[8] = 2)).await;
    says("wisp 99.0.0 wrote it", with(&|it| it.facts = json!({"wisp": "99.0.0", "of": "another time"}))).await;
    says("not a tool of this session", with(&|it| it.facts["tool"] = json!("python4"))).await;
    says("another build of `python3`: 0123456789abcdef", with(&|it| it.facts["component"] = json!("0123456789abcdef0"))).await;
    says("other tools or grants", with(&|it| it.facts["world"] = json!("0"))).await;
    says("other files at the start", with(&|it| it.facts["layout"] = json!("0"))).await;
    says("another build", with(&|it| it.facts["memory"]["base"] = json!("0"))).await;
    says("another build", with(&|it| it.facts["memory"]["shape"]["minimum"] = json!(1))).await;
    says("unknown field", with(&|it| it.facts["mounts"] = json!(["/etc"]))).await;
    says("a label", with(&|it| it.facts["labels"] = json!([["/etc/passwd", "x", null]]))).await;
    assert!(load(&here, with(&|it| it.facts["labels"] = json!([["/output/a.svg", "x", "image/svg+xml"]]))).await.is_ok());

    // The session that should continue from it, with one that may.
    let other = engine().session(&policy("name = \"test\"\n[tools]\nallow = [\"python3\", \"sh\"]")).build().await.expect("a session");
    assert!(matches!(load(&other, bytes.clone()).await, Err(SnapshotFileError::OtherWorld { what: "tools or grants", .. })));
    let folder = tempfile::tempdir().expect("a folder");
    let mount = async |guest: &str, access| {
        let session = session("").await;
        let builder = ENGINE.session(session.policy()).mount(folder.path(), guest, access);
        builder.build().await.expect("a session")
    };
    let mounted = mount("/mnt/data", wisp::policy::Access::Overlay).await;
    let mut interpreter = mounted.python().await.expect("python");
    std::fs::write(folder.path().join("host"), "of the host").expect("a file");
    eval(&mut interpreter, "open('/mnt/data/new', 'w').write('n'); open('/mnt/data/host', 'a').write('!')").await;
    let bytes = saved(&mut interpreter).await;
    let twin = load(&mount("/mnt/data", wisp::policy::Access::Overlay).await, bytes.clone()).await.expect("the same mounts");
    let look = "import os; print(sorted(os.listdir('/mnt/data')), open('/mnt/data/host').read())";
    assert_eq!(eval(&mut twin.fork().await.expect("a fork"), look).await, "['host', 'new'] of the host!\n");
    assert!(matches!(load(&here, bytes.clone()).await, Err(SnapshotFileError::OtherWorld { .. })), "of a session with a mount");
    for elsewhere in [mount("/mnt/other", wisp::policy::Access::Overlay).await, mount("/mnt/data", wisp::policy::Access::Read).await] {
        let said = refusal(&elsewhere, bytes.clone()).await;
        assert!(said.contains("other mounts: it has /mnt/data (overlay)"), "{said}");
    }
}

#[tokio::test]
async fn limits_hold_before_anything_is_made() {
    let bytes = small().await;
    let needed = Container::read(&bytes).facts["memory"]["size"].as_u64().expect("its size");
    let memory = async |limit: u64| load(&session(&format!("[limits]\nmemory = {limit}")).await, bytes.clone()).await;
    assert!(memory(needed).await.is_ok());
    assert!(matches!(memory(needed - 65_536).await, Err(SnapshotFileError::TooLarge { needed: n, .. }) if n == needed));
    let mut interpreter = session("").await.python().await.expect("python");
    eval(&mut interpreter, "open('large', 'wb').write(bytes(200_000))").await;
    let bytes = saved(&mut interpreter).await;
    for (quota, fits) in [("300KiB", true), ("150KiB", false)] {
        let loaded = load(&session(&format!("[filesystem]\nquota = \"{quota}\"")).await, bytes.clone()).await;
        assert_eq!(loaded.is_ok(), fits, "{quota}: {loaded:?}");
    }
}

#[tokio::test]
async fn no_length_is_believed() {
    let (bytes, here) = (small().await, session("").await);
    let valid = Container::read(&bytes);
    let size = valid.facts["memory"]["size"].as_u64().expect("its size");
    for (size, changed) in [
        (size, json!([[0, u64::MAX]])),
        (size, json!([[0, 4096], [0, 4096]])),
        (size, json!([[8192, 4096]])),
        (size, json!([[1, 4096]])),
        (size, json!([[0, 0]])),
        (size, json!([[0, size + 65536]])),
        (size, json!(vec![[0, 4096]; 100_000])),
        (size + 1, json!([])),
        (0, json!([])),
        (u64::MAX, json!([])),
    ] {
        let mut forged = valid.clone();
        forged.facts["memory"]["size"] = json!(size);
        forged.facts["memory"]["changed"] = changed;
        assert!(load(&here, forged.write()).await.is_err(), "{size}");
    }
    // Parts that unpack to much more than expected, or never end; missing parts.
    let pack = |part: &[u8]| zstd::bulk::compress(part, 1).expect("anything can be compressed");
    let facts = pack(&serde_json::to_vec(&valid.facts).expect("it was JSON"));
    let (memory, files, bomb) = (pack(&valid.memory), pack(&valid.files), pack(&vec![0; 200 << 20]));
    let head = &valid.head;
    let twice = [&files[..], &files].concat();
    assert!(load(&here, frames(head, INTERPRETER, &[facts.clone(), memory.clone(), files.clone()])).await.is_ok());
    for parts in [
        vec![facts.clone(), bomb.clone(), files.clone()],
        vec![facts.clone(), memory.clone(), bomb.clone()],
        vec![bomb, memory.clone(), files.clone()],
        vec![facts.clone(), memory.clone(), twice],
        vec![facts.clone(), memory.clone()],
        vec![facts.clone(), files.clone(), memory.clone()],
        vec![facts.clone(), memory.clone(), b"not packed".to_vec()],
        vec![facts],
    ] {
        let error = load(&here, frames(head, INTERPRETER, &parts)).await.expect_err("it is no snapshot");
        assert!(matches!(error, SnapshotFileError::Malformed { .. } | SnapshotFileError::Files(_)), "{error}");
    }
    let mut long = valid.head.clone();
    long.extend([0x81, 0xff, 0xff, 0xff, 0xff]);
    long.extend(vec![0; 1000]);
    assert!(matches!(load(&here, long).await, Err(SnapshotFileError::Damaged { .. })));
}

#[tokio::test]
async fn whatever_is_forged_the_host_goes_on() {
    let (valid, here) = (Container::read(&small().await), session("[limits]\nwall = \"2s\"").await);
    let mut random = Random(0x5769_7370);
    let (mut loaded, mut ended) = (0, 0);
    for round in 0..150 {
        let mut forged = valid.clone();
        match round % 3 {
            0 => random.damage(&mut forged.files),
            1 => {
                let mut text = serde_json::to_vec(&forged.facts).expect("it was JSON");
                random.damage(&mut text);
                let Ok(facts) = serde_json::from_slice(&text) else { continue };
                forged.facts = facts;
            }
            // The original length, so that it is loaded.
            _ => (0..2_000).for_each(|_| {
                let at = random.below(forged.memory.len());
                forged.memory[at] = random.below(256) as u8;
            }),
        }
        let Ok(snapshot) = load(&here, forged.write()).await else { continue };
        loaded += 1;
        let Ok(mut interpreter) = snapshot.fork().await else { continue };
        // Random memory ends in a trap, a limit or a Python error, which concern only the guest.
        let cell = interpreter.eval("import os; [len(f) for _, _, f in os.walk('/')]; print(x)").await;
        ended += u32::from(!cell.is_ok_and(|cell| cell.success()));
    }
    assert!(loaded > 40 && ended > 0, "{loaded} loaded, {ended} did not go on");
    let whole = load(&here, valid.write()).await.expect("it is right");
    assert_eq!(eval(&mut whole.fork().await.expect("a fork"), "print(x, open('note').read())").await, "41 kept\n");
}

#[tokio::test]
async fn a_large_parent() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Arc::new(folder.path().join("large"));
    let mut interpreter = session("").await.python().await.expect("python");
    eval(&mut interpreter, &STATE.replace("3_000_000", "50_000_000").replace("range(1000)", "range(10000)")).await;
    let snapshot = interpreter.snapshot().await.expect("a snapshot");
    let began = Instant::now();
    snapshot.to_file(&*path).await.expect("it is written");
    let (saved, began) = (began.elapsed(), Instant::now());
    let here = session("").await;
    let loaded = InterpreterSnapshot::from_file(&here, &*path).await.expect("it is loaded");
    let loading = began.elapsed();
    let bytes = std::fs::metadata(&*path).expect("it is there").len();
    println!("{} MiB of memory: {bytes} bytes, saved in {saved:?}, loaded in {loading:?}", snapshot.memory() >> 20);
    assert!(bytes < 8 << 20, "{bytes} bytes for fifty million zeros and ten thousand objects");
    let look = "print(len(ps), buffer[2_999_999], len(buffer), next(squares))";
    assert_eq!(eval(&mut loaded.fork().await.expect("a fork"), look).await, "10000 7 50000000 16\n");
}

#[tokio::test]
async fn a_session_goes_on_from_a_file_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.session");
    let first = session("").await;
    eval(&mut first.python().await.expect("python"), STATE).await;
    first.files().write("from/outside", "too").await.expect("it is written");
    first.to_file(&path).await.expect("it is kept");
    assert_eq!(std::fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
    let under = |more: &str| engine().session(&policy(&format!("name = \"test\"\n[tools]\nallow = [\"python3\"]\n{more}")));
    let second = under("").build_from_file(&path).await.expect("it goes on");
    let (here, there) = (first.files().digest("/home/user").await.unwrap(), second.files().digest("/home/user").await.unwrap());
    assert_eq!(here, there);
    assert_eq!(second.files().read("from/outside").await.expect("it is there"), "too");
    assert_eq!(second.files().stat("d/hard").await.expect("it is there").nlink, 2);
    // The interpreter is not part of it.
    assert!(!second.python().await.expect("python").eval("ps").await.expect("it is alive").success());
    // Changes in one are not changes in the other.
    second.files().remove_tree("d").await.expect("it is removed");
    assert!(first.files().stat("d/file").await.is_ok());

    let bytes = std::fs::read(&path).expect("it is there");
    assert_eq!(first.save(Vec::new()).await.expect("it is written"), bytes, "equal states give equal bytes");
    for (refused, reason) in [
        (under("[output]\npath = \"/out\"\n").build_from(Cursor::new(bytes.clone())).await, "files at the start"),
        (under("[filesystem]\nquota = \"4KiB\"\n").build_from(Cursor::new(saved_large(&first).await)).await, "than the quota allows"),
        (under("").build_from(Cursor::new(bytes[..bytes.len() - 1].to_vec())).await, "it is cut off"),
        (under("").build_from(Cursor::new(small().await)).await, "not a snapshot that wisp wrote"),
        (under("").build_from_file(folder.path().join("nothing")).await, "the snapshot `"),
        // A named pipe without a writer would be waited for.
        (under("").build_from_file(pipe(folder.path())).await, "it is not a regular file"),
    ] {
        let error = refused.expect_err("it is refused").to_string();
        assert!(error.contains(reason), "{error}");
    }
}

async fn saved_large(session: &Session) -> Vec<u8> {
    session.files().write("large", vec![1; 5_000]).await.expect("it is written");
    session.save(Vec::new()).await.expect("it is written")
}

fn pipe(folder: &Path) -> PathBuf {
    let path = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    path
}
