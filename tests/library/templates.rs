//! Sessions that start from a template: what they have in common, and what they do not.

use std::sync::Arc;

use parking_lot::Mutex;
use wisp::policy::Access;
use wisp::{Command, Input, Receipt, ReceiptKind, ReceiptSink, WaitFor};

use crate::kit::{builder, output, session, sh};

#[tokio::test]
async fn sessions_begin_with_the_files_of_the_template_and_share_no_change() {
    let first = session("").await;
    output(&first, "mkdir -p work && echo base > work/file").await;
    let template = first.template();
    output(&first, "echo later > work/file").await;
    let (one, two) = (template.start().unwrap(), template.start().unwrap());
    assert!(one.id() != two.id() && one.id() != first.id());
    assert_eq!(output(&one, "cat work/file; echo one > work/file; touch new").await, "base\n");
    assert_eq!(output(&two, "cat work/file; ls").await, "base\nwork\n");
    assert_eq!(output(&one, "cat work/file; ls").await, "one\nnew\nwork\n");
    // A template of such a session, and a Python in it.
    let three = one.template().start().unwrap();
    let mut python = three.python().await.unwrap();
    assert_eq!(python.eval("open('work/file').read()").await.unwrap().value.as_deref(), Some("'one\\n'"));
}

#[tokio::test]
async fn what_runs_in_a_session_is_not_in_its_template() {
    let first = session("").await;
    let running = first.start(Command::new("cat").stdin(Input::Piped)).await.unwrap();
    first.run(sh("sleep 1000 & true").wait_for(WaitFor::Direct)).await.unwrap();
    let other = first.template().start().unwrap();
    assert_eq!(output(&other, "ps -o comm= | grep -cE 'cat|sleep'; true").await, "0\n");
    assert!(other.commands().is_empty());
    assert_eq!(output(&first, "ps -o comm= | grep -cE 'cat|sleep'").await, "2\n");
    // The arguments of processes are known in their own session only.
    assert_eq!(output(&other, "pgrep -cf 'sleep 100[0]'; true").await, "0\n");
    assert_eq!(output(&first, "pgrep -cf 'sleep 100[0]'").await, "1\n");
    drop(running);
}

/// The file has the same number in all of them.
#[tokio::test]
async fn a_named_pipe_joins_the_processes_of_one_session_only() {
    let first = session("").await;
    output(&first, "mkfifo p").await;
    let template = first.template();
    let (one, two) = (template.start().unwrap(), template.start().unwrap());
    let writer = one.start(sh("echo of one > p")).await.unwrap();
    assert_eq!(output(&two, "timeout 0.2 cat p; echo $?").await, "124\n");
    assert_eq!(output(&two, "cat p & echo of two > p; wait").await, "of two\n");
    assert_eq!(output(&one, "cat p").await, "of one\n", "another command of the same session has the other end");
    drop(writer);
}

#[tokio::test]
async fn limits_count_from_zero_in_each_session() {
    let lines = "[filesystem]\nquota = \"1MiB\"\n[limits]\nprocesses = 3";
    let template = session(lines).await.template();
    for _ in 0..3 {
        let session = template.start().unwrap();
        assert_eq!(output(&session, "head -c 1000000 /dev/zero > full; wc -c < full").await, "1000000\n");
        let outcome = session.run(sh("head -c 1000000 /dev/zero > more")).await.unwrap();
        assert!(outcome.stderr_text().contains("No space left on device"), "{}", outcome.stderr_text());
    }
}

/// Keeps receipts.
#[derive(Default)]
struct Log(Mutex<Vec<Receipt>>);

impl ReceiptSink for Log {
    fn record(&self, receipt: &Receipt) {
        self.0.lock().push(receipt.clone());
    }
}

#[tokio::test]
async fn mounts_sinks_and_secrets_belong_to_each_session() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("input"), "given").unwrap();
    let lines = "[network]\nallow = [{ url = \"https://api.example/\" }]\n[[network.secret]]\nhost = \"api.example\"\nheader = \"Authorization\"\nvalue_from_env = \"WISP_TEST_TOKEN\"";
    let first = builder(lines).mount(folder.path(), "/mnt/in", Access::Read).secret("WISP_TEST_TOKEN", "hunter2-hunter2").build().await;
    let template = first.expect("a session").template();
    let log = Arc::new(Log::default());
    let (one, two) = (template.clone().receipts(log.clone()).start().unwrap(), template.start().unwrap());
    let mounts = log.0.lock().iter().filter(|receipt| receipt.kind == ReceiptKind::Mount).count();
    assert_eq!(mounts, 1, "{:?}", log.0.lock());
    let show = "cat /mnt/in/input; echo; echo x > /mnt/in/new || echo refused; echo $WISP_TEST_TOKEN";
    let (of_one, of_two) = (output(&one, show).await, output(&two, show).await);
    let placeholder = |text: &str| text.lines().last().map(str::to_owned).filter(|text| text.len() > 16).expect("a placeholder");
    assert!(of_one.starts_with("given\nrefused\n") && of_two.starts_with("given\nrefused\n"), "{of_one}{of_two}");
    assert_ne!(placeholder(&of_one), placeholder(&of_two));
    assert!(!of_one.contains("hunter2") && !of_two.contains("hunter2"));
    assert!(log.0.lock().iter().all(|receipt| receipt.session == one.id()), "those of the other session go elsewhere");
}
