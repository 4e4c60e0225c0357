//! Shells that continue from call to call.

use wisp::{Input, Stream};

use crate::interpreter::kit::session;

#[tokio::test]
async fn a_call_finds_what_the_previous_one_defined() {
    let mut shell = session("").await.shell().await.unwrap();
    let mut run = async |source: &str| {
        let outcome = shell.eval(source).await.unwrap();
        (outcome.stdout_text().into_owned(), outcome.exit_code())
    };
    assert_eq!(run("x=5; f() { echo f $x $1; }; mkdir d; cd d; declare -A m=([a]=1); alias ll='ls -l'; export Y=2").await.1, 0);
    assert_eq!(run("f 1; pwd; echo ${m[a]} $Y; alias ll; x=6").await.0, "f 5 1\n/home/user/d\n1 2\nalias ll='ls -l'\n");
    assert_eq!(run("f 2; env | grep ^Y=; exit 7").await, ("f 6 2\nY=2\n".to_owned(), 7));
    assert_eq!(run("echo $? $x").await.0, "0 6\n", "what it asked to exit with is its own");
}

#[tokio::test]
async fn what_belongs_to_one_call_does_not_leak() {
    let mut shell = session("").await.shell().await.unwrap();
    let first = shell.eval("set -e; trap 'echo bye' EXIT; exec 5>/tmp/x; (exit 3)").await.unwrap();
    assert_eq!((&*first.stdout_text(), first.exit_code()), ("bye\n", 3));
    let second = shell.eval("false; echo still; trap; echo x >&5").await.unwrap();
    assert_eq!(second.stdout_text(), "still\n");
    assert!(second.stderr_text().contains("5: Bad file descriptor"), "{}", second.stderr_text());
}

#[tokio::test]
async fn a_limit_that_a_call_lowers_holds_in_the_next() {
    let session = session("").await;
    let mut shell = session.shell().await.unwrap();
    let outcome = shell.eval("hard=$(ulimit -Ht); ulimit -n 40; ulimit -St 9; (ulimit -n 30); sh -c 'ulimit -n 20'").await.unwrap();
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    let show = "ulimit -n; ulimit -Hn; ulimit -t; test \"$(ulimit -Ht)\" = \"$hard\" && echo kept; sh -c 'ulimit -n'";
    for mut same in [shell.fork(1).remove(0), session.shell_from(shell.state().clone())] {
        assert_eq!(same.eval(show).await.unwrap().stdout_text(), "40\n40\n9\nkept\n40\n");
    }
    // As within one call: a soft limit can be raised again, a hard one cannot.
    let raised = shell.eval("ulimit -St \"$hard\"; ulimit -n 50").await.unwrap();
    assert_eq!((raised.exit_code(), raised.stderr_text().contains("Operation not permitted")), (1, true), "{}", raised.stderr_text());
    let open = "try: print(len([open('/etc/passwd') for _ in range(50)]))\nexcept OSError: print('refused')";
    let outcome = shell.eval(&format!("ulimit -n; test \"$(ulimit -t)\" = \"$hard\" && echo raised; python3 -c \"{open}\"")).await.unwrap();
    assert_eq!(outcome.stdout_text(), "40\nraised\nrefused\n", "{}", outcome.stderr_text());
    let mut other = session.shell().await.unwrap();
    assert_ne!(other.eval("ulimit -n").await.unwrap().stdout_text(), "40\n", "another shell keeps its own");
}

#[tokio::test]
async fn a_call_that_is_ended_changes_nothing() {
    let mut shell = session("[limits]\nwall = \"300ms\"").await.shell().await.unwrap();
    shell.eval("x=kept").await.unwrap();
    let ended = shell.eval("x=lost; while :; do :; done").await.unwrap();
    assert_eq!(ended.limit.unwrap().limit.as_str(), "limits.wall");
    assert_eq!(shell.eval("echo $x").await.unwrap().stdout_text(), "kept\n");
}

#[tokio::test]
async fn shells_fork_and_go_back() {
    let mut parent = session("").await.shell().await.unwrap();
    parent.eval("x=1; echo one > file").await.unwrap();
    let snapshot = parent.snapshot();
    let (mut one, mut two) = (snapshot.fork(), parent.fork(1).remove(0));
    one.eval("x=one; echo changed > file").await.unwrap();
    assert_eq!(two.eval("echo $x; cat file").await.unwrap().stdout_text(), "1\none\n");
    assert_eq!(parent.eval("echo $x; cat file; x=2; rm file").await.unwrap().stdout_text(), "1\none\n");
    parent.restore(&snapshot);
    assert_eq!(parent.eval("echo $x; cat file").await.unwrap().stdout_text(), "1\none\n");
    let mut kept = one.session().shell_from(one.state().clone());
    assert_eq!(kept.eval("echo $x; cat file").await.unwrap().stdout_text(), "one\nchanged\n");
}

#[tokio::test]
async fn a_state_that_is_none_is_refused() {
    let mut shell = session("").await.shell_from(&b"no state at all"[..]);
    let refused = shell.eval("echo hi").await.unwrap();
    assert_eq!((refused.exit_code(), &*refused.stdout_text()), (2, ""));
    assert!(refused.stderr_text().contains("is not a shell's state"), "{}", refused.stderr_text());
}

#[tokio::test]
async fn a_call_with_a_handle_brings_its_state_back() {
    let session = session("").await;
    let mut shell = session.shell().await.unwrap();
    let call = shell.start_with("read -r x; cd /tmp; echo got $x", |command| command.stdin(Input::Piped)).await.unwrap();
    // It reads its input, so nothing of it has come back.
    assert_eq!(shell.eval("echo ${x-none}; pwd").await.unwrap().stdout_text(), "none\n/home/user\n");
    call.running().write_stdin("1\n").await.unwrap();
    let piece = call.running().next_output(Stream::Stdout, 0, 100).await;
    assert_eq!(&*piece.bytes, b"got 1\n");
    assert_eq!(shell.finish(call).await.unwrap().exit_code(), 0);
    assert_eq!(shell.eval("echo $x; pwd").await.unwrap().stdout_text(), "1\n/tmp\n");

    // One that is ended leaves the state as it was.
    let call = shell.start("x=2; sleep 1000").await.unwrap();
    call.running().kill();
    assert_eq!(shell.finish(call).await.unwrap().exit_code(), 137);
    assert_eq!(shell.eval("echo $x").await.unwrap().stdout_text(), "1\n");
}

#[tokio::test]
async fn a_call_ends_with_its_handle_unless_its_command_was_detached() {
    let session = session("").await;
    let shell = session.shell().await.unwrap();
    let call = shell.start("sleep 1000").await.unwrap();
    let running = call.running().clone();
    drop(call);
    assert_eq!(running.wait().await.unwrap().exit_code(), 137);

    let call = shell.start_with("read -r x; echo $x", |command| command.stdin(Input::Piped)).await.unwrap();
    let running = call.running().clone();
    running.clone().detach();
    drop(call);
    running.write_stdin("on\n").await.unwrap();
    assert_eq!(running.wait().await.unwrap().stdout_text(), "on\n");
}
