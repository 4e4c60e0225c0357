//! Where memory comes from: slots, and the pool that stands in for them.

use wisp::{Command, Engine, KernelError, MemoryChoice, Policy, SlotBounds};

use crate::kit::{cell, output};

#[tokio::test]
async fn without_copy_on_write_everything_but_forks_works() {
    let engine = Engine::builder().memory(MemoryChoice::Pooling).build().unwrap();
    assert!(engine.memory_fallback().is_some() && engine.slot_metrics().is_none());
    let session = engine.session(&Policy::offline()).build().await.unwrap();
    let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c; python3 -c 'print(2+2)'"])).await.unwrap();
    assert_eq!(outcome.stdout_text(), "3\n4\n");
    let mut kernel = session.python().await.unwrap();
    output(&mut kernel, "x = 1").await;
    assert_eq!(cell(&mut kernel, "x + 1").await.value.as_deref(), Some("2"));
    let refused = kernel.snapshot().await.unwrap_err();
    assert!(matches!(refused, KernelError::NoSnapshots { .. }) && refused.to_string().contains("wisp doctor"), "{refused}");
    assert_eq!(cell(&mut kernel, "x").await.value.as_deref(), Some("1"), "refusing costs nothing");
}

#[tokio::test]
async fn slots_are_used_again_and_none_is_lost() {
    let bounds = SlotBounds { max_idle: 4, ..SlotBounds::default() };
    let engine = Engine::builder().memory(MemoryChoice::Slots).slots(bounds).build().unwrap();
    let session = engine.session(&Policy::offline()).build().await.unwrap();
    for number in 0..200 {
        let mut kernel = session.python().await.unwrap();
        let answer = cell(&mut kernel, &format!("'x' in globals(), {number}")).await;
        assert_eq!(answer.value, Some(format!("(False, {number})")));
        output(&mut kernel, "x = bytearray(3_000_000)").await;
    }
    let metrics = engine.slot_metrics().unwrap();
    assert!(metrics.mapped <= 6 && metrics.idle <= 4, "{metrics:?}");
    assert!(metrics.restores > 100 && metrics.taken >= 200, "{metrics:?}");
}
