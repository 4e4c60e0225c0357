//! The sources of memory: slots, and the pool that replaces them.

use std::sync::Arc;

use tokio::sync::Notify;
use wisp::{Code, Command, Engine, InterpreterError, MemoryChoice, Policy, SlotBounds};
use wisp_tests::alone::alone;

use crate::interpreter::kit::{cell, output};

#[tokio::test]
async fn without_copy_on_write_everything_but_forks_works() {
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Pooling).build().unwrap();
    assert!(engine.memory_fallback().is_some() && engine.slot_metrics().is_none());
    let session = engine.session(&Policy::offline()).build().await.unwrap();
    let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c; python3 -c 'print(2+2)'"])).await.unwrap();
    assert_eq!(outcome.stdout_text(), "3\n4\n", "{}", outcome.stderr_text());
    let mut interpreter = session.python().await.unwrap();
    output(&mut interpreter, "x = 1").await;
    assert_eq!(cell(&mut interpreter, "x + 1").await.value.as_deref(), Some("2"));
    let refused = interpreter.snapshot().await.unwrap_err();
    assert!(matches!(refused, InterpreterError::NoSnapshots { .. }) && refused.to_string().contains("wisp doctor"), "{refused}");
    assert_eq!(cell(&mut interpreter, "x").await.value.as_deref(), Some("1"), "refusing costs nothing");
}

#[tokio::test]
async fn slots_are_used_again_and_none_is_lost() {
    let bounds = SlotBounds { max_idle: 4, ..SlotBounds::default() };
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
    let session = engine.session(&Policy::offline()).build().await.unwrap();
    for number in 0..200 {
        let mut interpreter = session.python().await.unwrap();
        let answer = cell(&mut interpreter, &format!("'x' in globals(), {number}")).await;
        assert_eq!(answer.value, Some(format!("(False, {number})")));
        output(&mut interpreter, "x = bytearray(3_000_000)").await;
    }
    let metrics = engine.slot_metrics().unwrap();
    assert!(metrics.mapped <= 6 && metrics.idle <= 4, "{metrics:?}");
    assert!(metrics.restores > 100 && metrics.taken >= 200, "{metrics:?}");
}

#[tokio::test]
async fn instances_are_ready_for_the_next_process_and_belong_to_none_until_then() {
    let bounds = SlotBounds { ready: 2, ..SlotBounds::default() };
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
    let policy = Policy::offline().with_env("SECRET", "of the first").unwrap();
    let first = engine.session(&policy).build().await.unwrap();
    let script = "echo $SECRET > /tmp/kept; python3 -c 'import os; print(os.environ[\"SECRET\"], os.getpid())'; true";
    let outcome = first.run(Command::new("sh").args(["-c", script]).stdin_bytes("input")).await.unwrap();
    assert_eq!(outcome.stdout_text(), "of the first 2\n");
    let made = engine.slot_metrics().unwrap();
    assert_eq!((made.instance_hits, made.instance_misses), (0, 2), "{made:?}");
    // They are made when no caller waits for the outcome any longer.
    while engine.slot_metrics().unwrap().ready < 2 {
        tokio::task::yield_now().await;
    }

    let second = engine.session(&Policy::offline()).build().await.unwrap();
    let script = "ls /tmp; echo ${SECRET-none} $$; cat; python3 -c 'import os, sys; print(os.environ.get(\"SECRET\"), sys.argv)'";
    let outcome = second.run(Command::new("sh").args(["-c", script])).await.unwrap();
    assert_eq!(outcome.stdout_text(), "none 1\nNone ['-c']\n", "{}", outcome.stderr_text());
    let mut interpreter = second.python().await.unwrap();
    assert_eq!(cell(&mut interpreter, "__import__('os').environ.get('SECRET')").await.value, None);
    let metrics = engine.slot_metrics().unwrap();
    assert!(metrics.instance_hits >= 2, "{metrics:?}");
    assert!(metrics.ready <= 3 * 2, "two of each component: {metrics:?}");
    drop(interpreter);
    for _ in 0..50 {
        let mut interpreter = second.python().await.unwrap();
        assert_eq!(cell(&mut interpreter, "'x' in globals()").await.value.as_deref(), Some("False"));
        output(&mut interpreter, "x = bytearray(3_000_000)").await;
    }
    let after = engine.slot_metrics().unwrap();
    assert_eq!(after.instance_hits, metrics.instance_hits + 50, "each began in the one that was made when another ended: {after:?}");
}

#[tokio::test]
async fn the_memory_of_an_instance_that_was_ready_is_the_process_s() {
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).build().unwrap();
    let roomy = engine.session(&Policy::offline()).build().await.unwrap();
    drop(roomy.python().await.unwrap());
    let ready = engine.slot_metrics().unwrap().ready;
    assert!(ready > 0);
    let policy = Policy::offline().with_value("limits.memory", "8MiB").unwrap();
    let tight = engine.session(&policy).build().await.unwrap();
    assert!(matches!(tight.python().await, Err(InterpreterError::Memory { limit }) if limit == 8 << 20));
    let outcome = tight.run(Command::new("python3").args(["-c", "pass"])).await.unwrap();
    assert_eq!((outcome.exit_code(), outcome.limit.unwrap().limit.as_str()), (137, "limits.memory"));
    // What was ready is still ready, for whatever has room.
    let before = engine.slot_metrics().unwrap();
    assert!(before.ready >= ready, "{before:?}");
    let mut interpreter = roomy.python().await.unwrap();
    let answer = cell(&mut interpreter, "1 + 1").await;
    assert_eq!(answer.value.as_deref(), Some("2"));
    assert!(answer.outcome.usage.peak_memory >= 20 << 20, "{}", answer.outcome.usage.peak_memory);
    assert_eq!(engine.slot_metrics().unwrap().instance_hits, before.instance_hits + 1);
}

#[tokio::test]
async fn nothing_is_ready_where_the_bounds_say_so() {
    for bounds in [SlotBounds { ready: 0, ..SlotBounds::default() }, SlotBounds { max_idle: 0, ..SlotBounds::default() }] {
        let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
        engine.warm(&Policy::offline()).await.unwrap();
        let session = engine.session(&Policy::offline()).build().await.unwrap();
        for _ in 0..3 {
            let mut interpreter = session.python().await.unwrap();
            assert_eq!(output(&mut interpreter, "print(1)").await, "1\n");
        }
        let metrics = engine.slot_metrics().unwrap();
        assert!(metrics.ready == 0 && metrics.instance_hits == 0 && metrics.instance_misses >= 3, "{metrics:?}");
    }
}

/// Maps of this process.
fn maps() -> usize {
    std::fs::read_to_string("/proc/self/maps").unwrap().lines().count()
}

#[tokio::test]
async fn interpreters_at_rest_need_no_place_and_few_maps_and_keep_their_state() {
    const MANY: usize = 300;
    if !alone("interpreter::engine::interpreters_at_rest_need_no_place_and_few_maps_and_keep_their_state") {
        return;
    }
    let bounds = SlotBounds { max_warm: 0, ..SlotBounds::default() };
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).slots(bounds).max_processes(2).build().unwrap();
    let template = engine.session(&Policy::offline()).build().await.unwrap().template();
    let (mut all, before) = (Vec::new(), maps());
    for number in 0..MANY {
        let mut interpreter = template.start().unwrap().python().await.unwrap();
        let source = format!("x = {number}; g = (x + i for i in range(9)); next(g); f = open('f', 'w+'); f.write(str(x)); pass");
        output(&mut interpreter, &source).await;
        all.push(interpreter);
    }
    let each = (maps() - before) as f64 / MANY as f64;
    // Nine once: two of the stack, and the space before each memory was a map of its own.
    assert!(each < 6.5, "{each} maps for each interpreter at rest");
    for _ in 0..2 {
        for (number, interpreter) in all.iter_mut().enumerate() {
            let answer = output(interpreter, "f.seek(0); print(x, next(g), f.read())").await;
            assert!(answer.starts_with(&format!("{number} ")) && answer.ends_with(&format!(" {number}\n")), "{answer}");
        }
    }
    // Python's recursion in C needs most of the stack that rested.
    let deep = "import json\ntry: json.loads('[' * 100_000)\nexcept RecursionError: print('deep')";
    for _ in 0..2 {
        assert_eq!(output(&mut all[7], deep).await, "deep\n");
    }
    let fork = &mut all[11].fork(1).await.unwrap()[0];
    assert_eq!(output(fork, "print(x, next(g))").await, "11 14\n");
    assert_eq!(output(&mut all[11], "print(x, next(g))").await, "11 14\n");
}

#[tokio::test]
async fn without_a_place_to_run_an_interpreter_stays_as_it_is() {
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).max_processes(1).build().unwrap();
    let template = engine.session(&Policy::offline()).build().await.unwrap().template();
    let mut one = template.start().unwrap().python().await.unwrap();
    let mut other = template.start().unwrap().python().await.unwrap();
    output(&mut other, "x = 5").await;
    let (asked, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let question = {
        let (asked, go) = (asked.clone(), go.clone());
        move |_| {
            let (asked, go) = (asked.clone(), go.clone());
            async move {
                asked.notify_one();
                go.notified().await;
                Some("yes".to_owned())
            }
        }
    };
    let refused = async {
        asked.notified().await;
        let refused = other.eval("x").await;
        go.notify_one();
        refused
    };
    let (answer, refused) = tokio::join!(one.eval(Code::new("input('?')").on_input_request(question)), refused);
    assert_eq!(answer.unwrap().value.as_deref(), Some("'yes'"));
    assert!(matches!(refused, Err(InterpreterError::Full)), "{refused:?}");
    assert_eq!(cell(&mut other, "x + 1").await.value.as_deref(), Some("6"));
}

#[tokio::test]
async fn the_memory_of_an_interpreter_at_rest_counts() {
    let bounds = SlotBounds { max_warm: 0, ..SlotBounds::default() };
    let engine = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
    let policy = Policy::offline().with_value("limits.memory", "200MiB").unwrap();
    let session = engine.session(&policy).build().await.unwrap();
    let (mut one, mut other) = (session.python().await.unwrap(), session.python().await.unwrap());
    output(&mut one, "held = bytearray(100_000_000)").await;
    let refused = cell(&mut other, "held = bytearray(100_000_000)").await;
    assert!(!refused.success() && refused.outcome.limit.is_some_and(|hit| hit.limit.as_str() == "limits.memory"), "{:?}", refused.error);
    assert_eq!(output(&mut one, "print(len(held)); del held").await, "100000000\n");
    // The same without the first one's.
    let mut third = engine.session(&policy).build().await.unwrap().python().await.unwrap();
    output(&mut third, "held = bytearray(100_000_000)").await;
}
