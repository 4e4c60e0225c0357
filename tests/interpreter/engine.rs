//! The sources of memory: slots, and the pool that replaces them.

use wisp::{Command, Engine, InterpreterError, MemoryChoice, Policy, SlotBounds};

use crate::kit::{cell, output};

#[tokio::test]
async fn without_copy_on_write_everything_but_forks_works() {
    let engine = Engine::builder().memory(MemoryChoice::Pooling).build().unwrap();
    assert!(engine.memory_fallback().is_some() && engine.slot_metrics().is_none());
    let session = engine.session(&Policy::offline()).build().await.unwrap();
    let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c; python3 -c 'print(2+2)'"])).await.unwrap();
    assert_eq!(outcome.stdout_text(), "3\n4\n");
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
    let engine = Engine::builder().memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
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
    let engine = Engine::builder().memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
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
    let engine = Engine::builder().memory(MemoryChoice::Slots).build().unwrap();
    let roomy = engine.session(&Policy::offline()).build().await.unwrap();
    drop(roomy.python().await.unwrap());
    let ready = engine.slot_metrics().unwrap().ready;
    assert!(ready > 0);
    let policy = Policy::offline().with_value("limits.memory", "8MiB").unwrap();
    let tight = engine.session(&policy).build().await.unwrap();
    assert!(matches!(tight.python().await, Err(InterpreterError::Memory { limit }) if limit == 8 << 20));
    let outcome = tight.run(Command::new("python3").args(["-c", "pass"])).await.unwrap();
    assert_eq!((outcome.status.code(), outcome.limit.unwrap().limit.as_str()), (137, "limits.memory"));
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
        let engine = Engine::builder().memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
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
