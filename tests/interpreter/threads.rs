//! Threads of Python: over evaluations, at the limits, in snapshots, under `[determinism]`. `tests/guests/threads` has the programs.

use std::time::Duration;

use wisp::{Code, Command, Outcome};

use crate::kit::{cell, output, python, session};

/// Runs a program in a session of its own.
async fn program(lines: &str, text: &str) -> Outcome {
    session(lines).await.run(Command::new("python3").args(["-c", text])).await.unwrap()
}

#[tokio::test]
async fn threads_wait_between_evaluations_and_go_on_in_the_next() {
    let mut interpreter = python("").await;
    let start = "
import queue, threading
work, done = queue.Queue(), []
def serve():
    while (item := work.get()) is not None:
        done.append(item * 2)
        work.task_done()
server = threading.Thread(target=serve, name='server')
server.start()";
    output(&mut interpreter, start).await;
    output(&mut interpreter, "for i in range(3): work.put(i)").await;
    assert_eq!(output(&mut interpreter, "work.join(); print(done, server.is_alive())").await, "[0, 2, 4] True\n");
    assert_eq!(
        output(&mut interpreter, "work.put(None); server.join(); print(server.is_alive(), threading.active_count())").await,
        "False 1\n"
    );
}

#[tokio::test]
async fn an_interrupt_reaches_the_first_thread_and_the_others_go_on() {
    let mut interpreter = python("").await;
    let start = "
import threading
go, said = threading.Event(), []
def wait():
    go.wait(); said.append('went')
thread = threading.Thread(target=wait); thread.start()";
    output(&mut interpreter, start).await;
    for waiting in ["thread.join(1000)", "while True: pass"] {
        let ended = interpreter.eval(Code::new(waiting).timeout(Duration::from_millis(100))).await.unwrap();
        assert_eq!(ended.error.as_ref().map(|error| error.name.as_str()), Some("KeyboardInterrupt"), "{waiting}: {ended:?}");
        assert!(interpreter.ended().is_none(), "{waiting}");
    }
    assert_eq!(output(&mut interpreter, "go.set(); thread.join(); print(said)").await, "['went']\n");
}

#[tokio::test]
async fn limits_end_a_process_with_all_its_threads() {
    let waiting = "
import threading, time
for _ in range(3): threading.Thread(target=time.sleep, args=(1000,)).start()
print('before', flush=True)";
    let computing = "
import threading
def spin():
    while True: pass
for _ in range(3): threading.Thread(target=spin).start()";
    for (limit, value, code, text) in [
        ("wall", "\"400ms\"", 124, waiting),
        ("wall", "\"400ms\"", 124, computing),
        ("cpu", "\"300ms\"", 137, computing),
        ("instructions", "300_000_000", 137, computing),
    ] {
        let outcome = program(&format!("[limits]\n{limit} = {value}"), text).await;
        let hit = outcome.limit.as_ref().map(|hit| hit.limit.as_str());
        assert_eq!((outcome.exit_code(), hit), (code, Some(&*format!("limits.{limit}"))), "{outcome:?}");
    }
    let ends = waiting.replace("1000", "0.001");
    assert_eq!(program("", &ends).await.exit_code(), 0);
}

#[tokio::test]
async fn threads_beyond_the_bound_and_the_memory_are_refused() {
    let text = "
import threading
go, threads = threading.Event(), []
try:
    while True:
        thread = threading.Thread(target=go.wait); thread.start(); threads.append(thread)
except RuntimeError as error:
    print(len(threads) == COUNT, 'at most 256' in str(error))
go.set()
for thread in threads: thread.join()
threading.Thread(target=print, args=('one more',)).start()";
    let outcome = program("[limits]\nmemory = \"1GiB\"", &text.replace("COUNT", "256")).await;
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "True True\none more\n"), "{outcome:?}");
    let outcome = program("[limits]\nmemory = \"64MiB\"", &text.replace("== COUNT", "in range(1, 60)")).await;
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "True True\none more\n"), "{outcome:?}");
    assert_eq!(outcome.limit.map(|hit| (hit.limit.as_str().to_owned(), hit.ended)), Some(("limits.memory".to_owned(), false)));
}

#[tokio::test]
async fn a_thousand_threads_in_turn_take_the_memory_of_one() {
    let text = "
import threading
total = 0
def add():
    global total
    total += 1
for _ in range(1000):
    thread = threading.Thread(target=add); thread.start(); thread.join()
print(total)";
    let outcome = program("[limits]\nmemory = \"64MiB\"", text).await;
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text(), &outcome.limit), (0, "1000\n", &None), "{outcome:?}");
}

#[tokio::test]
async fn deep_recursion_in_a_thread_is_a_recursion_error() {
    let text = "
import threading
def down(n): return down(n + 1) + 1
def guarded():
    try: down(0)
    except RecursionError as error: print(type(error).__name__)
threads = [threading.Thread(target=guarded) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
def wide(n): return max((wide(n + 1) for _ in range(1)), default=0)
def by_c():
    try: wide(0)
    except RecursionError as error: print(type(error).__name__, 'through C')
import sys
sys.setrecursionlimit(10**6)
thread = threading.Thread(target=by_c); thread.start(); thread.join()
print('alive')";
    let outcome = program("", text).await;
    assert_eq!(
        (outcome.exit_code(), &*outcome.stdout_text()),
        (0, "RecursionError\nRecursionError\nRecursionError\nRecursionError through C\nalive\n"),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_thread_can_end_the_process() {
    for (call, code) in [("os._exit(3)", 3), ("os.abort()", 134), ("os.kill(os.getpid(), 9)", 137)] {
        let text = format!("import os, threading\nt = threading.Thread(target=lambda: {call}); t.start(); t.join(); print('not reached')");
        let outcome = program("", &text).await;
        assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (code, ""), "{call}: {outcome:?}");
    }
    let outcome =
        program("", "import sys, threading\nt = threading.Thread(target=lambda: sys.exit(3)); t.start(); t.join(); print('reached')").await;
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "reached\n"));
}

#[tokio::test]
async fn a_snapshot_ends_threads_and_names_them() {
    let mut parent = python("").await;
    let start = "
import threading
log, go = [], threading.Event()
def work():
    try: go.wait()
    finally: log.append('ended')
worker = threading.Thread(target=work, name='worker'); worker.start()";
    output(&mut parent, start).await;
    let snapshot = parent.snapshot().await.unwrap();
    assert!(snapshot.lost().iter().any(|line| line.contains("thread") && line.contains("worker")), "{:?}", snapshot.lost());
    let look = "print(log, worker.is_alive(), threading.active_count())";
    let again = "t = threading.Thread(target=log.append, args=('new',)); t.start(); t.join(); print(log)";
    let mut child = snapshot.fork().await.unwrap();
    for interpreter in [&mut child, &mut parent] {
        assert_eq!(output(interpreter, look).await, "['ended'] False 1\n");
        assert_eq!(output(interpreter, again).await, "['ended', 'new']\n");
    }
    // Without threads, nothing is lost.
    assert_eq!(parent.snapshot().await.unwrap().lost(), &[] as &[String]);
}

/// Threads that compute, draw, sleep and write as fast as they can.
const RACE: &str = "
import random, threading, time
def work(name):
    for i in range(20):
        print(name, i, random.random(), sum(range(random.randrange(20_000))))
        if i % 5 == name: time.sleep(0.001 * name)
threads = [threading.Thread(target=work, args=(name,)) for name in range(5)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(time.time(), time.perf_counter())";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_race_of_threads_comes_out_the_same_every_time() {
    let fixed = "[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"\n[limits]\nwall = \"60s\"";
    let first = program(fixed, RACE).await;
    assert_eq!((first.exit_code(), first.stdout_text().lines().count()), (0, 101), "{first:?}");
    let names: Vec<_> = first.stdout_text().lines().map(|line| line[..1].to_owned()).collect();
    assert!(names[..100].windows(2).filter(|pair| pair[0] != pair[1]).count() > 4, "they took turns: {names:?}");
    for round in 0..4 {
        assert_eq!(program(fixed, RACE).await.stdout_text(), first.stdout_text(), "round {round}");
    }
}

#[tokio::test]
async fn a_deadlock_of_threads_is_named_and_the_interpreter_lives() {
    let mut interpreter = python("").await;
    let text = "
import threading
a, b, met = threading.Lock(), threading.Lock(), threading.Barrier(2)
def other():
    with b:
        met.wait()
        with a: pass
thread = threading.Thread(target=other, name='other'); thread.start()
with a:
    met.wait()
    with b: pass";
    let ended = cell(&mut interpreter, text).await;
    let error = ended.error.expect("a deadlock");
    assert_eq!(error.name, "RuntimeError");
    assert!(error.message.starts_with("deadlock: every thread waits") && error.message.contains("other waits for"), "{}", error.message);
    assert_eq!(output(&mut interpreter, "thread.join(); print(a.locked(), b.locked())").await, "False False\n");
}
