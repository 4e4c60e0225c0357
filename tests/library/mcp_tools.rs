//! Tools of other servers as functions: what guests see of them, what the policy decides, and runs that repeat. The server is a program,
//! `mcp_server.py`; what hostile servers do is beside the client (`host/mcp-client/src/tests.rs`).

use std::sync::Arc;

use wisp::policy::HostFiles;
use wisp::{Engine, HostReplay, Policy, ReceiptKind, Session, SessionBuilder, SessionError, Verdict};
use wisp_mcp_client::Connector;

use crate::functions::File;
use crate::kit::{builder, printed, python, sh};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/library/mcp_server.py");

/// Lines of a policy: these in `[host]`, the server with these tools, and these after it.
fn lines(host: &str, tools: &[&str], after: &str) -> String {
    format!("[host]\n{host}\n[[host.mcp]]\nname = \"demo\"\ncommand = [\"python3\", {SERVER:?}]\nallow = {tools:?}\n{after}")
}

/// A session's builder with a server of its own. The policy's text begins with two lines that `lines` does not have.
async fn with_server(lines: &str) -> SessionBuilder {
    let text = format!("extends = \"offline\"\n{lines}");
    let policy = Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let functions = Connector::new().functions(&policy).await.unwrap_or_else(|error| panic!("{error}"));
    functions.into_iter().fold(builder(lines), SessionBuilder::function)
}

async fn session(host: &str, tools: &[&str]) -> Session {
    with_server(&lines(host, tools, "")).await.build().await.expect("a session")
}

#[tokio::test]
async fn tools_are_functions_with_signatures_typed_results_and_typed_errors() {
    let session = session("", &["add", "say.it", "fail", "picture", "odd"]).await;
    let program = "import asyncio, host, inspect\n\
        from host import demo_add, demo_say_it, demo_fail, demo_picture, demo_odd\n\
        print(host.functions())\n\
        print(inspect.signature(demo_add), repr(demo_add.__doc__.splitlines()[0]))\n\
        print(demo_add(1, 2), demo_add(a=41), demo_say_it('é\\n\"'.strip()), demo_picture())\n\
        print(demo_odd(**{'class': 1, 'a b': [2], '__import__': None}))\n\
        try: demo_fail()\n\
        except host.Failed as error: print(error.name, error.message)\n\
        try: demo_add('x', c=1)\n\
        except TypeError as error: print(error)\n\
        async def main(): print(await asyncio.gather(*(demo_add.aio(n) for n in range(5))))\n\
        asyncio.run(main())\n";
    let expected = "['demo_add', 'demo_fail', 'demo_odd', 'demo_picture', 'demo_say_it']\n\
        (a: int, b: int = 1) -> dict 'Adds two numbers.[2J'\n\
        {'sum': 3} {'sum': 42} é\n\" b'\\x89PNG'\n\
        {'class': 1, 'a b': [2], '__import__': None}\n\
        ToolError there is no such repository\n\
        got an unexpected keyword argument 'c'\n\
        [{'sum': 1}, {'sum': 2}, {'sum': 3}, {'sum': 4}, {'sum': 5}]\n";
    assert_eq!(printed(&session, program).await, expected);
    let help = printed(&session, "from host import demo_add; help(demo_add)").await;
    assert!(help.contains("a: the first") && help.contains("The tool `add` of the server `demo`."), "{help}");
    let outcome = session.run(sh("host demo_add --a 1 --b=2; host --help demo_add | head -1; host demo_fail")).await.expect("a shell");
    assert_eq!(outcome.stdout_text(), "{\"sum\": 3}\nUsage: host demo_add --a INTEGER [--b INTEGER]\n", "{}", outcome.stderr_text());
    assert!(outcome.stderr_text().contains("demo_fail: ToolError: there is no such repository"), "{}", outcome.stderr_text());
}

#[tokio::test]
async fn a_tool_that_is_not_allowed_is_not_there_and_each_call_has_a_receipt() {
    let session = session("", &["add"]).await;
    let program = "import host\nprint(host.functions(), host.demo_add(1))\n\
        try: from host import demo_delete_all\n\
        except ImportError as error: print(error)\n\
        for name in ('demo_delete_all', 'delete_all'):\n\
        \x20   try: host.call(name)\n\
        \x20   except host.Denied as error: print(error.rule, error.message)\n";
    let outcome = python(&session, program).await;
    let expected = "['demo_add'] {'sum': 2}\n\
        cannot import name 'demo_delete_all' from 'host': this session's functions are demo_add\n\
        test.toml:4 denied by wisp: the server `demo` has no such tool in its `allow` (test.toml:4); \
        add the tool to `allow` in the `[[host.mcp]]` called `demo`\n\
        test.toml denied by wisp: `host.allow` does not list it (test.toml); add `delete_all` to `allow` in `[host]`\n";
    assert_eq!(outcome.stdout_text(), expected, "{}", outcome.stderr_text());
    let calls = outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Function);
    let calls: Vec<_> =
        calls.map(|receipt| (receipt.subject.as_str(), receipt.verdict == Verdict::Allowed, receipt.rule.as_str())).collect();
    assert_eq!(calls, [("demo_add", true, "test.toml:7"), ("demo_delete_all", false, "test.toml:4"), ("delete_all", false, "test.toml")]);
}

#[tokio::test]
async fn the_limits_of_functions_hold() {
    let limits = "max_calls = 6\nmax_result = \"1KiB\"\nmax_arguments = \"1KiB\"\ntimeout = \"2s\"";
    let session = session(limits, &["add", "hang", "big"]).await;
    let program = "import host\nfrom host import *\n\
        def limited(function, **arguments):\n\
        \x20   try: return function(**arguments)\n\
        \x20   except host.Limited as error: return error.limit\n\
        print(len(demo_big(1000)), limited(demo_big, size=2000), limited(demo_add, a='x' * 2000))\n\
        print(limited(demo_hang))\n\
        print(demo_add(1), demo_add(2), demo_add(3), limited(demo_add, a=4))\n";
    let expected = "1000 host.max_result host.max_arguments\nhost.timeout\n{'sum': 2} {'sum': 3} {'sum': 4} host.max_calls\n";
    assert_eq!(printed(&session, program).await, expected);
}

#[tokio::test]
async fn a_fork_calls_what_the_policy_says() {
    let session = session("forks = [\"demo_add\"]", &["add", "draw"]).await;
    let mut shell = session.shell().await.expect("a shell");
    assert!(shell.eval("host demo_draw").await.expect("it runs").success());
    let mut fork = shell.fork(1).pop().expect("a fork");
    let outcome = fork.eval("host demo_add --a 1; host demo_draw").await.expect("it runs");
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (126, "{\"sum\": 2}\n"), "{}", outcome.stderr_text());
}

#[tokio::test]
async fn a_server_that_ends_is_a_failure_of_its_tools_alone() {
    let session = session("", &["add", "exit"]).await;
    // The next call starts it again: another session's guest must not take a tool away for good.
    let program = "import host\nfrom host import demo_add, demo_exit\n\
        for call in (demo_exit, lambda: demo_add(1), demo_exit):\n\
        \x20   try: print(call())\n\
        \x20   except host.Failed as error: print(error)\n";
    let gone = "ServerGone: the server of this tool has ended\n";
    assert_eq!(printed(&session, program).await, format!("{gone}{{'sum': 2}}\n{gone}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deterministic_run_repeats_without_the_tools() {
    const PROGRAM: &str = "import host, time\nbefore = time.time_ns()\nfrom host import demo_draw, demo_fail\n\
        print([demo_draw() for _ in range(3)])\n\
        try: demo_fail()\n\
        except host.Failed as error: print(error)\n\
        print(time.time_ns() - before)\n";
    let lines = lines("", &["draw", "fail"], "[determinism]\nseed = 7");
    let file = File::default();
    let session = with_server(&lines).await.record_functions(file.clone()).build().await.expect("a session");
    let first = printed(&session, PROGRAM).await;
    assert!(first.contains("ToolError: there is no such repository"), "{first}");
    // Without recording, the tools draw other numbers: the replay asks none of them.
    let again = with_server(&lines).await.record_functions(File::default()).build().await.expect("a session");
    assert_ne!(printed(&again, PROGRAM).await, first);
    let replay = HostReplay::read(file.0.lock().as_slice()).expect("what was recorded");
    let session = with_server(&lines).await.replay_functions(replay).build().await.expect("a session");
    assert_eq!(printed(&session, PROGRAM).await, first);
    match with_server(&lines).await.build().await {
        Err(SessionError::Functions { name, rule, .. }) => assert_eq!((name.as_str(), rule.as_str()), ("demo_draw", "test.toml:7")),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("a deterministic session has tools that answer as they like"),
    }
}

#[tokio::test]
async fn an_engine_with_a_connector_has_them_in_every_session() {
    let engine = Engine::builder(wisp_built::components()).function_source(Arc::new(Connector::new())).build().expect("an engine");
    let of = |tools: &[&str]| {
        let text = format!("extends = \"offline\"\n{}", lines("", tools, ""));
        Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    let policy = of(&["add", "pid"]);
    let session = engine.session(&policy).build().await.expect("a session");
    assert_eq!(printed(&session, "from host import demo_add; print(demo_add(1))").await, "{'sum': 2}\n");
    // One server for all: of a template's sessions, and of others.
    let pid = "from host import demo_pid; print(demo_pid())";
    let first = printed(&session, pid).await;
    assert_eq!(printed(&session.template().start().expect("a session"), pid).await, first);
    assert_eq!(printed(&engine.session(&policy).build().await.expect("a session"), pid).await, first);
    // A tool that the server does not have.
    match engine.session(&of(&["add", "subtract"])).build().await {
        Err(error @ SessionError::FunctionSource { .. }) => {
            let said = error.to_string();
            assert!(said.starts_with("the server `demo` has no tool `subtract` (test.toml:7); it has `add`, `say.it`, "), "{said}");
            assert_eq!(error.code(), wisp::ErrorCode::StartFailed);
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("the server has no such tool"),
    }
    // An engine without one starts nothing: the functions are not there.
    let none = builder(&lines("", &["add"], "")).build().await.expect("a session");
    let outcome = none.run(sh("host demo_add --a 1")).await.expect("a shell");
    assert_eq!((outcome.exit_code(), outcome.receipts.iter().filter(|receipt| receipt.verdict == Verdict::Denied).count()), (127, 0));
}
