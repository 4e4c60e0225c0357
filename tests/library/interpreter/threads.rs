//! Threads of Python: over evaluations, at the limits, in snapshots, under `[determinism]`. `tests/guests/threads` has the programs.

use std::time::Duration;

use wisp::{Code, Command, Outcome};

use crate::interpreter::kit::{cell, output, python, session};

/// Runs a program in a session of its own.
async fn program(lines: &str, text: &str) -> Outcome {
    session(lines).await.run(Command::new("python3").args(["-c", text])).await.unwrap()
}

#[tokio::test]
async fn threads_end_with_their_evaluation_which_names_them() {
    let mut interpreter = python("").await;
    let start = "
import queue, threading
work, done, ended = queue.Queue(), [], []
def serve():
    try:
        while True: done.append(work.get() * 2); work.task_done()
    finally: ended.append(threading.current_thread().name)
def compute():
    try:
        while True: pass
    finally: ended.append(threading.current_thread().name)
threads = [threading.Thread(target=serve, name='server'), threading.Thread(target=compute, name='computer', daemon=True)]
for thread in threads: thread.start()
for i in range(3): work.put(i)
work.join()";
    let done = cell(&mut interpreter, start).await;
    assert!(done.success(), "{done:?}");
    let named = ["the thread server, which ended with its evaluation", "the thread computer, which ended with its evaluation"];
    assert_eq!(done.not_carried, named);
    let look = "print(done, sorted(ended), [thread.is_alive() for thread in threads], threading.active_count())";
    assert_eq!(output(&mut interpreter, look).await, "[0, 2, 4] ['computer', 'server'] [False, False] 1\n");
    // The same when it fails, and when it is interrupted.
    let failing = "threading.Thread(target=serve, name='again').start(); 1/0";
    let failed = cell(&mut interpreter, failing).await;
    assert_eq!((failed.error.as_ref().map(|error| &*error.name), failed.not_carried.len()), (Some("ZeroDivisionError"), 1), "{failed:?}");
    let waiting = Code::new("threading.Thread(target=serve, name='more').start()\nwhile True: pass").timeout(Duration::from_millis(100));
    let interrupted = interpreter.eval(waiting).await.unwrap();
    assert_eq!(interrupted.error.as_ref().map(|error| &*error.name), Some("KeyboardInterrupt"), "{interrupted:?}");
    assert_eq!(interrupted.not_carried, ["the thread more, which ended with its evaluation"]);
    assert_eq!(output(&mut interpreter, "print(threading.active_count())").await, "1\n");
}

#[tokio::test]
async fn idle_threads_of_pools_are_not_missed() {
    let mut interpreter = python("").await;
    let start = "
import asyncio, concurrent.futures
pool = concurrent.futures.ThreadPoolExecutor(3)
async def main(): return await asyncio.gather(*[asyncio.to_thread(pow, 2, n) for n in range(4)])
print(list(pool.map(str, range(5))), await main())";
    for round in 0..3 {
        let source = if round == 0 { start } else { "print(list(pool.map(str, range(5))), await main())" };
        let done = cell(&mut interpreter, source).await;
        assert_eq!((&*done.stdout_text(), &*done.outcome.stderr_text()), ("['0', '1', '2', '3', '4'] [1, 2, 4, 8]\n", ""), "{done:?}");
        assert_eq!(done.not_carried, &[] as &[String], "round {round}");
    }
    // One that works is missed, what it has not begun is done later, and a pool that was shut down stays so.
    let busy = "
import threading
one, never = concurrent.futures.ThreadPoolExecutor(1, 'busy'), threading.Event()
first, second = one.submit(never.wait), one.submit(pow, 2, 10)";
    let done = cell(&mut interpreter, busy).await;
    assert_eq!(done.not_carried, ["the thread busy_0, which ended with its evaluation"], "{done:?}");
    let later = "print(type(first.exception()).__name__, one.submit(pow, 2, 5).result(), second.result())";
    assert_eq!(output(&mut interpreter, later).await, "SystemExit 32 1024\n");
    let down = "pool.shutdown(wait=False)\ntry: pool.submit(print)\nexcept RuntimeError as error: print('shutdown' in str(error))";
    assert_eq!(output(&mut interpreter, down).await, "True\n");
    assert_eq!(output(&mut interpreter, "try: pool.submit(print)\nexcept RuntimeError: print('still')").await, "still\n");
}

#[tokio::test]
async fn a_thread_that_would_not_end_ends_the_interpreter_with_a_sentence() {
    for stubborn in [
        "while True:\n        try: time.sleep(1000)\n        except BaseException: pass",
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
    ] {
        let mut interpreter = python("").await;
        let source =
            format!("import threading, time\ndef stay():\n    {stubborn}\nthreading.Thread(target=stay, name='mule').start()\n2 + 2");
        let done = cell(&mut interpreter, &source).await;
        assert_eq!(
            (done.value.as_deref(), &*done.not_carried),
            (Some("4"), &["the thread mule, which would not end with its evaluation".to_owned()][..])
        );
        assert_eq!((done.outcome.exit_code(), &done.outcome.limit), (137, &None), "{done:?}");
        let said = done.outcome.stderr_text();
        assert!(said.ends_with("wisp: python3: ended: a thread would not end with the evaluation\n"), "{said}");
        assert!(interpreter.ended().is_some());
        interpreter.reset().await.unwrap();
        assert_eq!(output(&mut interpreter, "print('a new one')").await, "a new one\n");
    }
}

#[tokio::test]
async fn an_interrupt_reaches_the_first_thread_and_not_the_others() {
    let mut interpreter = python("").await;
    let start = "
import threading
go, said = threading.Event(), []
def wait():
    go.wait(); said.append('went')
thread = threading.Thread(target=wait); thread.start()
try:
    WAITING
except KeyboardInterrupt:
    go.set(); thread.join(); print(said)";
    for waiting in ["thread.join(1000)", "while True: pass"] {
        let code = Code::new(start.replace("WAITING", waiting)).timeout(Duration::from_millis(100)).grace(Duration::from_secs(60));
        let ended = interpreter.eval(code).await.unwrap();
        assert_eq!((&*ended.stdout_text(), ended.not_carried.len()), ("['went']\n", 0), "{waiting}: {ended:?}");
        assert!(interpreter.ended().is_none(), "{waiting}");
    }
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
    let outcome =
        program("[limits]\nmemory = \"64MiB\"", &text.replace("== COUNT", "in range(1, 60)").replace("at most 256", "limits.memory")).await;
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
async fn snapshots_and_forks_begin_without_threads_and_can_make_them() {
    let mut parent = python("").await;
    let start = "
import threading
log, go = [], threading.Event()
def work():
    try: go.wait()
    finally: log.append('ended')
worker = threading.Thread(target=work, name='worker'); worker.start()";
    assert_eq!(cell(&mut parent, start).await.not_carried.len(), 1);
    let snapshot = parent.snapshot().await.unwrap();
    assert_eq!(snapshot.not_carried(), &[] as &[String], "it ended before");
    let look = "print(log, worker.is_alive(), threading.active_count())";
    let again = "t = threading.Thread(target=log.append, args=('new',)); t.start(); t.join(); print(log)";
    let mut child = snapshot.fork().await.unwrap();
    for interpreter in [&mut child, &mut parent] {
        assert_eq!(output(interpreter, look).await, "['ended'] False 1\n");
        assert_eq!(output(interpreter, again).await, "['ended', 'new']\n");
    }
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
    // A thread may lose its turn between a line and its end.
    let names: Vec<_> = first.stdout_text().lines().map(|line| line.chars().next()).collect();
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
