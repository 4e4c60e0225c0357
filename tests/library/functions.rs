//! Functions of the host: what guests see of them, what a policy and a fork may call, and runs that repeat.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use wisp::{HostFailure, HostFunction, HostReplay, HostValue, Receipt, ReceiptKind, ReceiptSink, SessionBuilder, SessionError, Verdict};

use crate::kit::{builder, printed, python, sh};

fn add() -> HostFunction {
    let add = HostFunction::new("add", |arguments: HostValue| async move {
        let arguments: Value = arguments.read()?;
        match (arguments["a"].as_i64(), arguments["b"].as_i64()) {
            (Some(a), b) => Ok(json!(a + b.unwrap_or(1))),
            _ => Err(HostFailure::new("NotANumber", "`a` is no number")),
        }
    });
    add.documentation("Adds two numbers.\n\nThe second is 1 if it is not given.")
        .parameters(&json!({
            "type": "object",
            "properties": { "a": { "type": "integer", "description": "the first" }, "b": { "type": "integer", "default": 1 } },
            "required": ["a"],
        }))
        .returns(&json!({ "type": "integer" }))
}

/// `count(to)`: the numbers up to `to`, then a failure if `to` is more than 3.
fn count() -> HostFunction {
    let count = HostFunction::streaming("count", |arguments: HostValue| {
        let to = arguments.read::<Value>().map_or(0, |arguments| arguments["to"].as_u64().unwrap_or(0));
        let item = |number: u64| match number {
            4 => Err(HostFailure::new("TooFar", "4 is too far")),
            number => Ok(json!(number)),
        };
        stream::iter((1..=to).map(item).collect::<Vec<_>>())
    });
    count.parameters(&json!({ "type": "object", "properties": { "to": { "type": "integer" } }, "required": ["to"] }))
}

/// Bytes, backwards, by a thread that may block.
fn turn() -> HostFunction {
    HostFunction::blocking("turn", |arguments: HostValue| match arguments {
        HostValue::Bytes(bytes) => Ok(bytes.into_iter().rev().collect::<Vec<u8>>()),
        HostValue::Json(_) => Err(HostFailure::new("NoBytes", "expected bytes")),
    })
}

const ALL: &str = "[host]\nallow = [\"add\", \"count\", \"turn\"]";

fn with_functions(lines: &str) -> SessionBuilder {
    builder(lines).function(add()).function(count()).function(turn())
}

#[tokio::test]
async fn python_calls_them_as_functions_of_its_own() {
    let session = with_functions(ALL).build().await.expect("a session");
    let program = "import host, inspect\n\
        from host import add, count, turn\n\
        print(host.functions(), add(1, 2), add(a=41), host.call('add', {'a': 1}))\n\
        print(inspect.signature(add), add.__doc__.splitlines()[0])\n\
        print(list(count(3)), turn(b'abc'), turn(bytearray(b'\\0\\xff')))\n\
        for wrong in (lambda: add('x'), lambda: list(count(5)), lambda: turn({})):\n\
        \x20   try: wrong()\n\
        \x20   except host.Failed as error: print(type(error).__name__, error.name, error.message)\n\
        try: add(c=1)\n\
        except TypeError as error: print(error)\n";
    let expected = "['add', 'count', 'turn'] 3 42 2\n\
        (a: int, b: int = 1) -> int Adds two numbers.\n\
        [1, 2, 3] b'cba' b'\\xff\\x00'\n\
        Failed NotANumber `a` is no number\n\
        Failed TooFar 4 is too far\n\
        Failed NoBytes expected bytes\n\
        missing a required argument: 'a'\n";
    assert_eq!(printed(&session, program).await, expected);
    let help = printed(&session, "from host import add; help(add)").await;
    assert!(help.contains("add(a: int, b: int = 1) -> int") && help.contains("a: the first"), "{help}");
}

#[tokio::test]
async fn parameters_have_the_order_of_their_schema_s_text() {
    let order = HostFunction::new("order", |arguments: HostValue| async move { Ok(arguments) })
        .parameters_text(r#"{"type": "object", "properties": {"z": {"default": 1}, "a": {"default": 2}}}"#);
    let session = builder("").function(order).allow_function("order").build().await.expect("a session");
    let program = "from host import order\nprint(order(5), order(5, 6), order(a=7))";
    assert_eq!(printed(&session, program).await, "{'z': 5} {'z': 5, 'a': 6} {'a': 7}\n");
    let schema = session.functions().remove(0).parameters.expect("a schema");
    assert_eq!(schema["properties"]["a"]["default"], json!(2));
}

#[tokio::test]
async fn many_calls_run_at_once() {
    // No call returns before all of them are there.
    let barrier = Arc::new(Barrier::new(10));
    let meet = HostFunction::new("meet", move |arguments: HostValue| {
        let barrier = barrier.clone();
        async move {
            barrier.wait().await;
            Ok(arguments)
        }
    });
    let session = builder("").function(meet).allow_function("meet").build().await.expect("a session");
    let program = "import asyncio\nfrom host import meet\n\
        async def main(): print(await asyncio.gather(*(meet.aio({'n': n}) for n in range(10))))\n\
        asyncio.run(main())\n";
    let numbers = printed(&session, program).await;
    assert_eq!(numbers, format!("[{}]\n", (0..10).map(|n| format!("{{'n': {n}}}")).collect::<Vec<_>>().join(", ")));
}

#[tokio::test]
async fn a_coroutine_has_items_and_a_cancelled_call_is_dropped() {
    struct Gone(Arc<AtomicUsize>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let seen = dropped.clone();
    let hang = HostFunction::new("hang", move |_: HostValue| {
        let gone = Gone(seen.clone());
        async move {
            let _gone = gone;
            std::future::pending::<Result<Value, HostFailure>>().await
        }
    });
    let session = with_functions(ALL).function(hang).allow_function("hang").build().await.expect("a session");
    let program = "import asyncio\nfrom host import add, count, hang\n\
        async def main():\n\
        \x20   print([number async for number in count.aio(3)])\n\
        \x20   task = asyncio.create_task(hang.aio())\n\
        \x20   await asyncio.sleep(0); await asyncio.sleep(0)\n\
        \x20   task.cancel()\n\
        \x20   try: await task\n\
        \x20   except asyncio.CancelledError: print('cancelled', await add.aio(1))\n\
        asyncio.run(main())\n";
    assert_eq!(printed(&session, program).await, "[1, 2, 3]\ncancelled 2\n");
    while dropped.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_shell_has_them_as_commands() {
    let session = with_functions(ALL).build().await.expect("a session");
    let script = "host --list; host add --a 1 --b=2; host add '{\"a\": 5}'; echo '{\"a\": 6}' | host add -; host count --to 3; \
        printf abc | host --bytes turn; echo; host --help add | head -1; host count --to 4 >/dev/null; echo $?; host add --c 1; echo $?; host sub; echo $?";
    let outcome = session.run(sh(script)).await.expect("a shell");
    let expected = "add    Adds two numbers.\ncount\nturn\n3\n6\n7\n1\n2\n3\ncba\nUsage: host add --a INTEGER [--b INTEGER]\n1\n2\n126\n";
    assert_eq!(outcome.stdout_text(), expected, "{}", outcome.stderr_text());
    let said = outcome.stderr_text();
    assert!(said.contains("host: count: TooFar: 4 is too far"), "{said}");
    assert!(said.contains("host: there is no parameter `c`; there are --a, --b"), "{said}");
    assert!(
        said.contains("host: sub: denied by wisp: `host.allow` does not list it (test.toml:3); add `sub` to `allow` in `[host]`"),
        "{said}"
    );
}

/// Keeps receipts.
#[derive(Default)]
struct Log(Mutex<Vec<Receipt>>);

impl ReceiptSink for Log {
    fn record(&self, receipt: &Receipt) {
        self.0.lock().push(receipt.clone());
    }
}

impl Log {
    /// Those of calls: what, whether it was allowed, and by which rule.
    fn calls(&self) -> Vec<(String, bool, String)> {
        let receipts = self.0.lock();
        let calls = receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Function);
        calls.map(|receipt| (receipt.subject.clone(), receipt.verdict == Verdict::Allowed, receipt.rule.clone())).collect()
    }
}

#[tokio::test]
async fn each_call_has_a_receipt_and_nothing_is_allowed_by_default() {
    let log = Arc::new(Log::default());
    let lines = "[host]\nallow = [\n  \"add\",\n]";
    let session = with_functions(lines).receipts(log.clone()).build().await.expect("a session");
    let program = "import host\nprint(host.functions(), host.call('add', {'a': 1}))\n\
        try: host.call('turn', b'x')\n\
        except host.Denied as error: print(error.rule, error.message)\n\
        try: from host import count\n\
        except ImportError as error: print(error)\n";
    let expected = "['add'] 2\n\
        test.toml:3 denied by wisp: `host.allow` does not list it (test.toml:3); add `turn` to `allow` in `[host]`\n\
        cannot import name 'count' from 'host': this session's functions are add\n";
    assert_eq!(printed(&session, program).await, expected);
    let (add, turn) = (("add".to_owned(), true, "test.toml:4".to_owned()), ("turn".to_owned(), false, "test.toml:3".to_owned()));
    assert_eq!(log.calls(), [add, turn]);

    // Registered, and not granted: the interface is not there at all.
    let none = with_functions("").build().await.expect("a session");
    let said = printed(&none, "import host\ntry: host.add\nexcept ImportError as error: print(error)\nprint(host.functions())").await;
    assert!(said.contains("the policy grants no function of the host; add `[host]`") && said.ends_with("\n[]\n"), "{said}");
    let outcome = none.run(sh("host add --a 1")).await.expect("a shell");
    assert_eq!(outcome.exit_code(), 126, "{}", outcome.stderr_text());
    assert!(outcome.receipts.iter().any(|receipt| receipt.kind == ReceiptKind::Import && receipt.subject.starts_with("wisp:sandbox/host")));

    // Granted, and not registered.
    let outcome = builder(ALL).build().await.expect("a session").run(sh("host add '{}'")).await.expect("a shell");
    assert_eq!((outcome.exit_code(), outcome.receipts.iter().filter(|receipt| receipt.verdict == Verdict::Denied).count()), (127, 0));
}

#[tokio::test]
async fn a_fork_may_call_what_the_policy_says() {
    let session = with_functions(&format!("{ALL}\nforks = [\"turn\"]")).build().await.expect("a session");
    let mut shell = session.shell().await.expect("a shell");
    assert_eq!(shell.eval("host add --a 1").await.expect("it runs").stdout_text(), "2\n");
    let mut fork = shell.fork(1).pop().expect("a fork");
    let outcome = fork.eval("host --list; echo x | host --bytes turn; host add --a 1").await.expect("it runs");
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (126, "turn\n\nx"), "{}", outcome.stderr_text());
    let said = outcome.stderr_text();
    assert!(
        said.contains("this session is a fork, and `host.forks` does not list it (test.toml:4); add `add` to `forks` in `[host]`"),
        "{said}"
    );
    // A fork's own template is no way around it; that of the first session has everything.
    for (template, status) in [(fork.session().template(), 126), (session.template(), 0)] {
        let outcome = template.start().expect("a session").run(sh("host add --a 1")).await.expect("a shell");
        assert_eq!(outcome.exit_code(), status, "{}", outcome.stderr_text());
    }
}

#[tokio::test]
async fn a_program_may_let_forks_call_a_function() {
    let session = with_functions(ALL).allow_function_in_forks("add").build().await.expect("a session");
    let mut shell = session.shell().await.expect("a shell");
    assert_eq!(shell.eval("true").await.expect("it runs").exit_code(), 0);
    let mut fork = shell.fork(1).pop().expect("a fork");
    let outcome = fork.eval("host add --a 1; echo x | host --bytes turn").await.expect("it runs");
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (126, "2\n"), "{}", outcome.stderr_text());
    assert!(outcome.stderr_text().contains("`host.forks` does not list it"), "{}", outcome.stderr_text());
    // It cannot let them call what the session may not.
    let more = builder("").function(add()).allow_function_in_forks("add").build().await.expect_err("no session");
    assert!(matches!(more, SessionError::Policy(_)), "{more}");
}

#[tokio::test]
async fn a_fork_of_an_interpreter_keeps_the_name_and_loses_the_right() {
    let session = with_functions(ALL).build().await.expect("a session");
    if session.engine().memory_fallback().is_some() {
        return;
    }
    let mut python = session.python().await.expect("python");
    assert_eq!(python.eval("from host import add, count\nadd(1)").await.expect("it runs").value.as_deref(), Some("2"));
    python.eval("items = count(3); next(items)").await.expect("it runs");
    let snapshot = python.snapshot().await.expect("a snapshot");
    assert_eq!(snapshot.not_carried(), ["the running call of the host's function count"]);
    let mut fork = snapshot.fork().await.expect("a fork");
    let denied = fork.eval("add(1)").await.expect("it runs").error.expect("a denial");
    assert!(denied.report.contains("host.Denied: add: denied by wisp: this session is a fork"), "{denied}");
    assert_eq!(python.eval("add(2)").await.expect("it runs").value.as_deref(), Some("3"));
}

#[tokio::test]
async fn sessions_of_a_template_have_its_functions_and_their_own_limits() {
    let session = with_functions("[host]\nallow = [\"add\"]\nmax_calls = 1").build().await.expect("a session");
    let other = HostFunction::new("add", |_: HostValue| async { Ok(json!("other")) });
    let template = session.template();
    let changed = template.clone().function(other);
    for _ in 0..2 {
        let outcome = template.start().expect("a session").run(sh("host add --a 1")).await.expect("a shell");
        assert_eq!(outcome.stdout_text(), "2\n", "{}", outcome.stderr_text());
    }
    let outcome = changed.start().expect("a session").run(sh("host add '{}'")).await.expect("a shell");
    assert_eq!(outcome.stdout_text(), "\"other\"\n", "{}", outcome.stderr_text());
}

/// `fail(size)`: fails with so many characters of two bytes each.
fn fail() -> HostFunction {
    let fail = HostFunction::new("fail", |arguments: HostValue| async move {
        let size = arguments.read::<Value>()?["size"].as_u64().and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
        Err::<Value, _>(HostFailure::new("TooFar", "é".repeat(size)))
    });
    fail.parameters(&json!({ "type": "object", "properties": { "size": { "type": "integer" } }, "required": ["size"] }))
}

#[tokio::test]
async fn what_a_failure_says_is_cut_and_counted() {
    const PROGRAM: &str = "import host\n\
        for size in (3, 10_000_000, 3, 3000, 3):\n\
        \x20   try: host.fail(size)\n\
        \x20   except host.Failed as error: print(error.name, len(error.message.encode()) <= 8192, error.message[-28:])\n\
        \x20   except host.Limited as error: print(error.limit)\n";
    let outcomes = async |lines: &str| {
        let session = builder(&format!("[host]\nallow = [\"fail\"]\n{lines}")).function(fail()).build().await.expect("a session");
        printed(&session, PROGRAM).await
    };
    let (short, cut) = ("TooFar True ééé\n", "TooFar True ééééé… (cut: 20000000 bytes)\n");
    let whole = format!("TooFar True {}\n", "é".repeat(28));
    assert_eq!(outcomes("").await, format!("{short}{cut}{short}{whole}{short}"));
    // The arguments of five calls, three short texts and the cut one are 10 KiB; with the one of 6,000 bytes they would be more.
    assert_eq!(outcomes("max_bytes = \"10KiB\"").await, format!("{short}{cut}{short}host.max_bytes\n{short}"));
}

/// What a recorder wrote.
#[derive(Clone, Default)]
pub(crate) struct File(pub(crate) Arc<Mutex<Vec<u8>>>);

impl std::io::Write for File {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Calls from two processes and from many coroutines, with the time around them.
const PROGRAM: &str = "import asyncio, subprocess, time\nfrom host import add, count, draw\n\
    before = time.time_ns()\n\
    print(draw(), draw(), list(count(2)))\n\
    async def main(): print(await asyncio.gather(*(draw.aio() for _ in range(5))))\n\
    asyncio.run(main())\n\
    print(subprocess.run(['host', 'draw'], capture_output=True, text=True).stdout)\n\
    try: add('x')\n\
    except Exception as error: print(error)\n\
    print(time.time_ns() - before)\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deterministic_run_repeats_byte_for_byte_from_its_record() {
    const LINES: &str = "[host]\nallow = [\"add\", \"count\", \"draw\"]\n[determinism]\nseed = 7";
    /// A function that answers differently each time, and after a while.
    fn draw(last: usize) -> HostFunction {
        let next = AtomicUsize::new(last);
        HostFunction::new("draw", move |_: HostValue| {
            let number = next.fetch_add(1, Ordering::SeqCst);
            async move {
                for _ in 0..number % 7 {
                    tokio::task::yield_now().await;
                }
                Ok(json!(number))
            }
        })
    }
    let file = File::default();
    let session = with_functions(LINES).function(draw(100)).record_functions(file.clone()).build().await.expect("a session");
    let first = printed(&session, PROGRAM).await;
    assert!(first.starts_with("100 101 [1, 2]\n[102, 103, 104, 105, 106]\n107\n\nNotANumber: `a` is no number\n"), "{first}");

    let replay = HostReplay::read(file.0.lock().as_slice()).expect("what was recorded");
    let never = HostFunction::new("draw", |_: HostValue| async { Err::<Value, _>(HostFailure::new("Called", "it is not to be called")) });
    let session = with_functions(LINES).function(never).replay_functions(replay).build().await.expect("a session");
    assert_eq!(printed(&session, PROGRAM).await, first);
    let more = python(&session, "from host import draw; draw()").await;
    assert!(more.stderr_text().contains("NotRecorded: the recorded run did not make this call, or not as often"), "{}", more.stderr_text());

    // With neither, there is no such session; without the functions, there is.
    match with_functions(LINES).function(draw(0)).build().await {
        Err(SessionError::Functions { name, rule, .. }) => assert_eq!((name.as_str(), rule.as_str()), ("add", "test.toml:3")),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("a deterministic session has functions that are not"),
    }
    let template = builder(LINES).build().await.expect("nothing can be called").template();
    template.start().expect("nothing can be called");
    assert!(matches!(template.function(draw(0)).start(), Err(SessionError::Functions { .. })));
}
