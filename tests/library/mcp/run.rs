//! Running Python and shell commands: what the answer has.

use serde_json::json;
use wisp_mcp::Options;

use super::kit::{Client, served, text};

#[tokio::test]
async fn python_keeps_its_state_and_returns_output_value_and_traceback() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let text = client.text("run_python", json!({ "code": "import sys\nx = 20\nprint('out')\nprint('err', file=sys.stderr)\nx + 1" })).await;
    assert_eq!(text, "out\nerr\n21\n");
    let text = client.fails("run_python", json!({ "code": "def f(): return x / 0\nf()" })).await;
    assert!(text.starts_with("Traceback") && text.contains("ZeroDivisionError"), "{text}");
    assert_eq!(client.text("run_python", json!({ "code": "x" })).await, "20\n");
    // It asked for that, and lives on.
    assert_eq!(client.text("run_python", json!({ "code": "sys.exit(3)" })).await, "[exit code 3]");
    assert_eq!(client.text("run_python", json!({ "code": "x" })).await, "20\n");
    // A time of its own interrupts, and the interpreter lives on.
    let text = client.fails("run_python", json!({ "code": "while True: pass", "timeout_ms": 20 })).await;
    assert!(text.contains("KeyboardInterrupt") && text.contains("[interrupted by timeout_ms = 20]"), "{text}");
    assert_eq!(client.text("run_python", json!({ "code": "x" })).await, "20\n");
}

#[tokio::test]
async fn an_interpreter_that_a_limit_has_ended_is_replaced_and_said_to_be() {
    let served = served("[limits]\nstdout = \"4KiB\"", Options::default());
    let mut client = Client::connect(&served.server).await;
    client.text("run_python", json!({ "code": "x = 1" })).await;
    let text = client.fails("run_python", json!({ "code": "print('a' * 100_000)" })).await;
    assert!(text.contains("[ended by limits.stdout = 4KiB (test.toml:3)"), "{text}");
    assert!(text.contains("variables are gone"), "{text}");
    assert_eq!(client.text("run_python", json!({ "code": "'x' in globals()" })).await, "False\n");
    // What fits is not ended.
    assert_eq!(client.text("run_python", json!({ "code": "print('a' * 100)" })).await.len(), 101);
}

#[tokio::test]
async fn an_interpreter_that_ended_after_its_answer_is_replaced_too() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let code = "import threading, time\ndef stay():\n    while True:\n        try: time.sleep(1000)\n        except BaseException: pass\n\
                threading.Thread(target=stay, name='mule').start()\n2 + 2";
    let text = client.text("run_python", json!({ "code": code })).await;
    assert!(text.contains("4\n") && text.contains("ended: a thread would not end with the evaluation"), "{text}");
    assert_eq!(client.text("run_python", json!({ "code": "'stay' in globals()" })).await, "False\n");
}

#[tokio::test]
async fn pictures_are_shown_and_other_values_as_text() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let code = "class P:\n  def __init__(self, size): self.size = size\n  def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n' + bytes(self.size)\n\
                display(P(4))\nprint('seen')\nP(5)";
    let result = client.call("run_python", json!({ "code": code })).await;
    let content = result["content"].as_array().expect("content");
    assert_eq!((content.len(), text(&result).as_str()), (3, "seen\n"));
    for (picture, data) in content[1..].iter().zip(["iVBORw0KGgoAAAAA", "iVBORw0KGgoAAAAAAA=="]) {
        assert_eq!((&picture["type"], &picture["mimeType"], &picture["data"]), (&json!("image"), &json!("image/png"), &json!(data)));
    }
    // One that is too large is named.
    let large = client.call("run_python", json!({ "code": "display(P(1_000_000))" })).await;
    assert_eq!(large["content"].as_array().map(Vec::len), Some(1), "{}", text(&large));
    assert!(text(&large).contains("1000008 bytes is not shown"), "{}", text(&large));
    let html = "class H:\n  def _repr_html_(self): return '<b>bold</b>'\n  def __repr__(self): return 'plain'\ndisplay(H())\nH()";
    assert_eq!(client.text("run_python", json!({ "code": html })).await, "plain\nplain\n");
}

#[tokio::test]
async fn a_command_returns_both_outputs_its_exit_code_and_what_it_made() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let text = client.text("run_shell", json!({ "command": "echo one; echo two >&2; echo three; exit 3" })).await;
    assert_eq!(text, "one\ntwo\nthree\n[exit code 3]");
    assert_eq!(client.text("run_shell", json!({ "command": "true" })).await, "[no output]");
    assert_eq!(client.text("run_shell", json!({ "command": "pwd; cat", "cwd": "/tmp", "stdin": "in" })).await, "/tmp\nin\n");
    // Files stay, the shell does not.
    client.text("run_shell", json!({ "command": "x=1; cd /tmp; echo here > made" })).await;
    assert_eq!(client.text("run_shell", json!({ "command": "pwd; echo ${x-none}; cat /tmp/made" })).await, "/home/user\nnone\nhere\n");
    let text = client.text("run_shell", json!({ "command": "mkdir -p /output/a; echo data > '/output/a/x y.txt'" })).await;
    assert_eq!(text, "wisp://session/default/output/a/x%20y.txt (text/plain, 5 bytes)");
    // What the client knows is not named again, unless it changed.
    assert_eq!(client.text("run_shell", json!({ "command": "true" })).await, "[no output]");
    assert!(client.text("run_shell", json!({ "command": "echo >> '/output/a/x y.txt'" })).await.contains("6 bytes"));
    let text = client.fails("run_shell", json!({ "command": "sleep 1000", "timeout_ms": 10 })).await;
    assert!(text.contains("[ended by timeout_ms = 10"), "{text}");
    assert!(client.text("run_shell", json!({ "command": "kill -9 $$" })).await.contains("[ended by signal 9]"));
}

#[tokio::test]
async fn a_refusal_names_its_rule_and_has_an_allowed_twin() {
    let folder = tempfile::tempdir().unwrap();
    let mount = |access: &str| format!("[[filesystem.mount]]\nhost = {:?}\nguest = \"/mnt/a\"\naccess = \"{access}\"", folder.path());
    let write = json!({ "command": "echo made > /mnt/a/file && cat /mnt/a/file" });
    let served_read = served(&mount("read"), Options::default());
    let mut client = Client::connect(&served_read.server).await;
    let text = client.text("run_shell", write.clone()).await;
    assert!(text.contains("Read-only file system"), "{text}");
    assert!(text.contains("[denied: file /mnt/a/file: the mount is granted read-only by test.toml:2]"), "{text}");
    assert!(text.contains("explain_policy"), "{text}");
    // A tool that writes meets the same rule.
    let text = client.fails("write_file", json!({ "path": "/mnt/a/file", "content": "made" })).await;
    assert!(text.contains("test.toml:2") && text.contains("mount_refused"), "{text}");
    assert!(!folder.path().join("file").exists());
    let served_write = served(&mount("write"), Options::default());
    let mut client = Client::connect(&served_write.server).await;
    assert_eq!(client.text("run_shell", write).await, "made\n");
    client.text("write_file", json!({ "path": "/mnt/a/other", "content": "made" })).await;
    assert_eq!(std::fs::read_to_string(folder.path().join("other")).unwrap(), "made");
}

#[tokio::test]
async fn output_is_bounded_and_the_rest_can_be_read() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let all: String = (1..=20_000).map(|number| format!("{number}\n")).collect();
    let text = client.text("run_shell", json!({ "command": "seq 20000" })).await;
    assert!(text.len() < 41_000 && text.starts_with("1\n2\n") && text.ends_with("19999\n20000\n"), "{}", text.len());
    let (head, rest) = text.split_once('[').expect("a note");
    let (note, tail) = rest.split_once("]\n").expect("its end");
    assert!(note.contains(&format!(r#"{{"id": "c1", "offset": {}}}"#, head.len())), "{note}");
    // The pieces together are everything.
    let (mut read, mut offset) = (head.to_owned(), head.len());
    while read.len() < all.len() - tail.len() {
        let piece = client.text("read_output", json!({ "id": "c1", "offset": offset, "limit": 30_000 })).await;
        let piece = piece.split_once('[').map_or(piece.as_str(), |(text, _)| text).to_owned();
        assert!(!piece.is_empty() && piece.len() <= 30_001);
        let piece =
            all.get(offset..offset + piece.len()).filter(|expected| *expected == piece).or_else(|| piece.strip_suffix('\n')).expect("text");
        offset += piece.len();
        read.push_str(piece);
    }
    assert_eq!(read, all[..read.len()]);
    let small = client.text("run_shell", json!({ "command": "seq 20000", "max_output": 1000 })).await;
    assert!(small.len() < 1_300, "{}", small.len());
    // An evaluation's outputs are apart.
    let text = client.text("run_python", json!({ "code": "import sys; print('e' * 50_000, file=sys.stderr); print('o' * 50_000)" })).await;
    assert!(
        text.len() < 41_500 && text.contains(r#"{"id": "e1", "offset""#) && text.contains(r#"{"id": "e1", "stream": "stderr", "offset""#),
        "{}",
        text.len()
    );
    let piece = client.text("read_output", json!({ "id": "e1", "stream": "stderr", "offset": 49_999 })).await;
    assert_eq!(piece, "e\n[it has ended]");
    assert!(client.fails("read_output", json!({ "id": "c99" })).await.contains("no command `99`"));
}

#[tokio::test]
async fn a_command_in_the_background_is_read_while_it_runs() {
    let served = served("", Options::default());
    let mut client = Client::connect(&served.server).await;
    let text = client.text("run_shell", json!({ "command": "mkfifo gate; echo ready; cat gate; exit 4", "background": true })).await;
    assert!(text.contains(r#"{"id": "c1""#) && text.contains("kill "), "{text}");
    let ready = client.text("read_output", json!({ "id": "c1", "wait_ms": 40_000 })).await;
    assert_eq!(ready, "ready\n[more may follow: \"offset\": 6]\n[it still runs]");
    client.text("run_shell", json!({ "command": "echo over > gate" })).await;
    let mut rest = client.text("read_output", json!({ "id": "c1", "offset": 6, "wait_ms": 40_000 })).await;
    assert!(rest.starts_with("over\n"), "{rest}");
    while rest.contains("it still runs") {
        rest = client.text("read_output", json!({ "id": "c1", "offset": 11, "wait_ms": 40_000 })).await;
    }
    assert!(rest.ends_with("[it has ended: exit code 4]"), "{rest}");
}
