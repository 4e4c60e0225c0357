//! Instances that are used again: what the next process finds is what a new instance has, to the byte, and what is not as new is
//! not used again.

use std::pin::pin;

use crate::{Engine, Interpreter, InterpreterSnapshot, MemoryChoice, Policy, Session};

/// What the process before leaves: a text that is nowhere else, names, a deep stack, an exit function, an exception.
const BEFORE: &str = "
import atexit, sys
secret = ''.join(map(chr, (101, 118, 101, 110, 105, 110, 103))) * 40
def deep(depth): return deep(depth - 1) + secret[:1] if depth else ''
deep(200)
atexit.register(print, secret)
sys.setrecursionlimit(900)
print(secret)
try: raise ValueError(secret)
except ValueError as error: kept = error
";

/// What the process after does, which looks at what it finds.
const AFTER: &str = "
import atexit, sys
print('secret' in globals(), sys.getrecursionlimit(), atexit._ncallbacks(), sys.exc_info(), hash('x'))
";

fn engine() -> Engine {
    Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).build().expect("an engine")
}

async fn session(engine: &Engine) -> Session {
    engine.session(&Policy::offline()).build().await.unwrap()
}

fn reused(engine: &Engine) -> u64 {
    engine.slot_metrics().unwrap().reused
}

/// Runs `code` in interpreters, one after the other, until an instance is used again. The first have pages to look for.
async fn until_reused(engine: &Engine, session: &Session, code: &str) {
    let before = reused(engine);
    for _ in 0..20 {
        session.python().await.unwrap().eval(code).await.unwrap();
        if reused(engine) > before {
            return;
        }
    }
    panic!("no instance was used again: {:?}", engine.slot_metrics());
}

/// The interpreter with the same randomness as every other one that this made, so that two of them are equal.
fn fixed(interpreter: Interpreter) -> Interpreter {
    let mut alive = interpreter.seat.at_rest().expect("it is at rest");
    alive.setting.as_mut().expect("it has not begun").entropy = Some(vec![7; 32]);
    drop(alive);
    interpreter
}

/// All of its memory.
fn memory(interpreter: &Interpreter) -> Vec<u8> {
    let alive = interpreter.seat.at_rest().expect("it is at rest");
    let live = alive.memory.as_ref().expect("its memory is a slot");
    // SAFETY: it is at rest.
    let image = unsafe { live.freeze() }.unwrap();
    image.bytes(0..image.size())
}

/// Whether it has what `BEFORE` makes.
fn holds_secret(memory: &[u8]) -> bool {
    let secret = [101, 118, 101, 110, 105, 110, 103].repeat(2);
    memory.windows(secret.len()).any(|bytes| bytes == secret)
}

fn same(new: &[u8], used: &[u8]) {
    assert_eq!(new.len(), used.len());
    let differs = new.chunks(4096).zip(used.chunks(4096)).position(|(one, other)| one != other);
    assert_eq!(differs.map(|page| format!("the page at {:#x}", page * 4096)), None);
}

/// What it prints, and its memory.
async fn after(mut interpreter: Interpreter) -> (String, Vec<u8>) {
    let cell = interpreter.eval(AFTER).await.unwrap();
    assert!(cell.success(), "{}", cell.outcome.stderr_text());
    (cell.stdout_text().into_owned(), memory(&interpreter))
}

#[tokio::test]
async fn a_process_finds_in_a_used_instance_what_a_new_one_has() {
    let first = engine();
    let new = fixed(session(&first).await.python().await.unwrap());
    let untouched = memory(&new);
    let new = after(new).await;
    assert_eq!(reused(&first), 0);

    let second = engine();
    let before = session(&second).await;
    until_reused(&second, &before, BEFORE).await;
    let hits = second.slot_metrics().unwrap().instance_hits;
    let used = fixed(session(&second).await.python().await.unwrap());
    assert_eq!(second.slot_metrics().unwrap().instance_hits, hits + 1, "it began in the instance that was used");
    same(&untouched, &memory(&used));
    let used = after(used).await;
    assert_eq!(used.0, new.0);
    same(&new.1, &used.1);
}

/// The memory of the process that left a secret is one in which this test would find it.
#[tokio::test]
async fn what_a_process_leaves_is_in_its_memory_until_then() {
    let engine = engine();
    let mut interpreter = session(&engine).await.python().await.unwrap();
    interpreter.eval(BEFORE).await.unwrap();
    assert!(holds_secret(&memory(&interpreter)));
    drop(interpreter);
    until_reused(&engine, &session(&engine).await, BEFORE).await;
    assert!(!holds_secret(&memory(&session(&engine).await.python().await.unwrap())));
}

async fn forked(snapshot: &InterpreterSnapshot) -> Interpreter {
    fixed(snapshot.fork().await.unwrap())
}

#[tokio::test]
async fn a_fork_finds_in_a_used_instance_what_a_new_one_has() {
    let engine = engine();
    let mut parent = session(&engine).await.python().await.unwrap();
    assert!(parent.eval("x = [1, 2]\nopen('note', 'w').write('kept')").await.unwrap().success());
    let snapshot = parent.snapshot().await.unwrap();
    let new = after(forked(&snapshot).await).await;
    // The first takes the handle of the root directory from its setting, those that come after have it: their memory differs by that.
    let mut used = Vec::new();
    for before in [BEFORE, "print(sum(range(1000)))"] {
        let count = reused(&engine);
        for _ in 0..20 {
            snapshot.fork().await.unwrap().eval(before).await.unwrap();
        }
        assert!(reused(&engine) > count, "{:?}", engine.slot_metrics());
        let count = engine.slot_metrics().unwrap().instance_hits;
        used.push(after(forked(&snapshot).await).await);
        assert_eq!(engine.slot_metrics().unwrap().instance_hits, count + 1, "it began in an instance that was used");
        assert!(!holds_secret(&used.last().expect("it was pushed").1));
    }
    assert_eq!((&used[0].0, &used[1].0), (&new.0, &new.0));
    same(&used[0].1, &used[1].1);
    // Its files are its own, by the handle that another fork had.
    for text in ["one", "two"] {
        let mut fork = snapshot.fork().await.unwrap();
        let read = fork.eval(format!("(open('note').read(), open('note', 'w').write('{text}'), x)")).await.unwrap();
        assert_eq!(read.value.as_deref(), Some("('kept', 3, [1, 2])"));
    }
}

#[tokio::test]
async fn a_fork_that_never_ran_leaves_nothing_and_takes_nothing() {
    let engine = engine();
    let mut parent = session(&engine).await.python().await.unwrap();
    parent.eval("x = 3").await.unwrap();
    let snapshot = parent.snapshot().await.unwrap();
    for _ in 0..10 {
        drop(snapshot.fork().await.unwrap());
        let mut fork = snapshot.fork().await.unwrap();
        let value = fork.eval("x + len(__import__('os').listdir('/'))").await.unwrap();
        assert!(value.value.is_some_and(|value| value.parse::<u32>().unwrap() > 8));
    }
}

#[tokio::test]
async fn what_is_not_as_new_is_not_used_again() {
    let engine = engine();
    let session = session(&engine).await;
    until_reused(&engine, &session, "print(1)").await;
    let cases = [
        ("what its policy denies", "import socket; s = socket.socket()\ntry: s.connect(('1.1.1.1', 80))\nexcept OSError: pass"),
        ("a file", "open('/tmp/x', 'w').write('x')"),
        ("a file that was looked for", "import os; os.path.exists('/tmp/none')"),
        ("a child", "import subprocess; subprocess.run(['true'])"),
        ("a thread", "import threading; t = threading.Thread(target=int); t.start(); t.join()"),
        ("memory that grew", "x = bytearray(64 << 20)"),
        ("a wait", "import time; time.sleep(0.001)"),
    ];
    for (what, code) in cases {
        let before = reused(&engine);
        assert!(session.python().await.unwrap().eval(code).await.unwrap().success(), "{what}");
        assert_eq!(reused(&engine), before, "{what}");
        until_reused(&engine, &session, "print(1)").await;
    }
}

#[tokio::test]
async fn nor_is_one_that_was_ended() {
    let engine = engine();
    let session = session(&engine).await;
    until_reused(&engine, &session, "print(1)").await;
    let before = reused(&engine);
    let mut interpreter = session.python().await.unwrap();
    interpreter.eval("import os; os._exit(3)").await.unwrap();
    assert!(interpreter.ended().is_some());
    drop(interpreter);
    assert_eq!(reused(&engine), before, "it has exited");

    let mut interpreter = session.python().await.unwrap();
    {
        let running = pin!(interpreter.eval("while True: pass"));
        // The caller stops waiting in the middle of it, and the evaluation goes on.
        assert!(futures_util::FutureExt::now_or_never(running).is_none());
    }
    let cut_off = interpreter.running().expect("it runs");
    drop(interpreter);
    assert_eq!(cut_off.wait().await.unwrap().outcome.exit_code(), 137);
    assert_eq!(reused(&engine), before, "it was cut off");
    until_reused(&engine, &session, "print(1)").await;
}

#[tokio::test]
async fn handles_are_counted_when_they_are_made() {
    let engine = engine();
    let mut interpreter = session(&engine).await.python().await.unwrap();
    let mut made = async |code: &str| {
        interpreter.eval(code).await.unwrap();
        interpreter.seat.at_rest().unwrap().store.data_mut().handles_made()
    };
    assert_eq!(made("print(2 + 2)").await, 0);
    assert!(made("open('/tmp/x', 'w').close()").await >= 2, "the root directory, and the file");
}
