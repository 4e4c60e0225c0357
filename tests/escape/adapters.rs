//! Components of the user in front of imports (`[imports]`): what they may have, and what they use.

use tempfile::NamedTempFile;
use wisp::{CodeCache, Command, Outcome, Policy, Session, SessionError};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::escape::kit::{ENGINE, file, policy};

/// Passes a request on as it is.
const PASS: &str = "(call $handle (local.get 0) (local.get 1) (local.get 2) (i32.const 512)) (i32.const 512)";

/// The interface that the attacks stand in front of.
const HANDLER: &str = "wasi:http/outgoing-handler";

/// A component in front of it. `imports` and `body` are those of its core module, `more` are lines of its world.
fn front(imports: &str, body: &str, more: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (import "wasi:http/outgoing-handler@0.2.12" "handle" (func $handle (param i32 i32 i32 i32)))
            {imports}
            (memory (export "memory") 2)
            (global $next (mut i32) (i32.const 65536))
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                (global.set $next (i32.add (global.get $next) (i32.and (i32.add (local.get 3) (i32.const 15)) (i32.const -8))))
                (i32.sub (global.get $next) (i32.and (i32.add (local.get 3) (i32.const 15)) (i32.const -8))))
            (func (export "wasi:http/outgoing-handler@0.2.12#handle") (param i32 i32 i32) (result i32) {body}))"#
    );
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    resolve.push_path(wisp_tests::wisp::root().join("wit")).unwrap();
    let world = format!("package test:it; world it {{ import {HANDLER}@0.2.12; {more} export {HANDLER}@0.2.12; }}");
    encode(resolve, &world, wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

fn encode(mut resolve: Resolve, world: &str, mut module: Vec<u8>) -> Vec<u8> {
    let package = resolve.push_source("it.wit", world).unwrap_or_else(|error| panic!("{error:#}"));
    let world = resolve.select_world(&[package], Some("it")).unwrap();
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
        .and_then(|()| ComponentEncoder::default().validate(true).module(&module)?.encode())
        .unwrap_or_else(|error| panic!("{error:#}"))
}

/// A policy with `curl` and this component in front of its requests; `keys` are more keys of that entry, `lines` more of the policy.
fn with(component: &NamedTempFile, keys: &str, lines: &str) -> Policy {
    let entry = format!("[imports]\n\"{HANDLER}\" = {{ component = \"{}\"{keys} }}\n", component.path().display());
    policy(&["sh", "curl"], &format!("{lines}\n{entry}"))
}

async fn session(front: &[u8], lines: &str) -> Session {
    let component = file(front);
    ENGINE.session(&with(&component, "", lines)).build().await.unwrap_or_else(|error| panic!("{error}"))
}

/// Runs `curl` behind it, in a session whose requests all go to a port that nobody listens at.
async fn curl(front: &[u8], lines: &str) -> Outcome {
    let network = "[network]\nallow = [{ url = \"http://127.0.0.1:1/\", allow_private = true }]\n";
    let session = session(front, &format!("{network}{lines}")).await;
    session.compile().await.unwrap_or_else(|error| panic!("{error}")); // not within the time that a command has
    session.run(Command::new("curl").args(["-sS", "http://127.0.0.1:1/"])).await.expect("curl starts")
}

async fn refused(front: &[u8], keys: &str) -> String {
    let component = file(front);
    match ENGINE.session(&with(&component, keys, "")).build().await {
        Ok(_) => panic!("the session started"),
        Err(error @ (SessionError::Policy(_) | SessionError::World(_))) => error.to_string(),
        Err(other) => panic!("{other:?}"),
    }
}

/// The status of curl after a connection that failed: the request came through.
const NOT_CONNECTED: u8 = 7;

#[tokio::test]
async fn what_passes_requests_on_changes_nothing() {
    let outcome = curl(&front("", PASS, ""), "").await;
    assert_eq!(outcome.exit_code(), NOT_CONNECTED, "{outcome:?}");
}

#[tokio::test]
async fn it_has_no_network_that_the_policy_does_not_grant() {
    let session = session(&front("", PASS, ""), "").await;
    let outcome = session.run(Command::new("curl").args(["-sS", "http://127.0.0.1:1/"])).await.unwrap();
    assert!(outcome.stderr_text().contains("denied by wisp: the policy grants no network"), "{outcome:?}");
    assert!(outcome.receipts.iter().any(|receipt| receipt.subject.contains(HANDLER)), "{:?}", outcome.receipts);
}

#[tokio::test]
async fn its_sockets_are_denied_as_those_of_any_tool() {
    let sockets = r#"(import "wasi:sockets/tcp-create-socket@0.2.12" "create-tcp-socket" (func $tcp (param i32 i32)))"#;
    // An error, and the error is access-denied: else it traps.
    let body = format!(
        "(call $tcp (i32.const 0) (i32.const 256))
         (if (i32.ne (i32.load8_u (i32.const 256)) (i32.const 1)) (then unreachable))
         (if (i32.ne (i32.load8_u (i32.const 260)) (i32.const 1)) (then unreachable)) {PASS}"
    );
    let outcome = curl(&front(sockets, &body, "import wasi:sockets/tcp-create-socket@0.2.12;"), "").await;
    assert_eq!(outcome.exit_code(), NOT_CONNECTED, "{outcome:?}");
    assert!(outcome.receipts.iter().any(|receipt| receipt.subject.contains("create-tcp-socket")), "{:?}", outcome.receipts);
}

#[tokio::test]
async fn what_no_policy_grants_is_refused_before_anything_runs() {
    let threads = r#"(import "wisp:sandbox/threads@0.1.0" "switch" (func (param i32)))"#;
    let error = refused(&front(threads, PASS, "import wisp:sandbox/threads@0.1.0;"), "").await;
    assert!(error.contains("wisp:sandbox/threads@0.1.0"), "{error}");
    let unknown = r#"(import "root" "shell" (func))"#;
    let error = refused(&front(unknown, PASS, "import root: interface { shell: func(); }"), "").await;
    assert!(error.contains("root"), "{error}");
}

#[tokio::test]
async fn its_time_and_memory_are_the_processs() {
    let outcome = curl(&front("", "(loop (br 0)) unreachable", ""), "[limits]\ncpu = \"200ms\"\n").await;
    assert_eq!(outcome.limit.as_ref().map(|hit| hit.limit.as_str()), Some("limits.cpu"), "{outcome:?}");
    // 512 MiB are refused, 1 MiB is given: else it traps.
    let grows = |pages: u32, expected: &str| {
        format!("(if ({expected} (memory.grow (i32.const {pages})) (i32.const -1)) (then unreachable)) {PASS}")
    };
    for (pages, otherwise) in [(8192, "i32.ne"), (16, "i32.eq")] {
        let outcome = curl(&front("", &grows(pages, otherwise), ""), "[limits]\nmemory = \"64MiB\"\n").await;
        assert_eq!(outcome.exit_code(), NOT_CONNECTED, "{pages} pages: {outcome:?}");
    }
}

#[tokio::test]
async fn a_trap_in_it_ends_the_process_alone() {
    let session = session(&front("", "unreachable", ""), "").await;
    let script = "curl -sS http://127.0.0.1:1/; echo $?";
    let outcome = session.run(Command::new("sh").args(["-c", script])).await.unwrap();
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "134\n"), "{outcome:?}");
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_the_reason() {
    // Another interface.
    let tool = ENGINE.components().lookup("example-tool").unwrap().bytes().unwrap();
    let error = refused(&tool, "").await;
    assert!(error.contains("does not export it: it exports `wasi:cli/run@"), "{error}");
    // The interface, with another function of that name.
    let other = "package wasi:http@0.2.12; interface outgoing-handler { handle: func(number: u32) -> u32; }";
    let mut resolve = Resolve::default();
    resolve.push_source("http.wit", other).unwrap();
    let module = r#"(module (memory (export "memory") 1)
        (func (export "wasi:http/outgoing-handler@0.2.12#handle") (param i32) (result i32) (local.get 0)))"#;
    let world = format!("package test:it; world it {{ export {HANDLER}@0.2.12; }}");
    let error = refused(&encode(resolve, &world, wat::parse_str(module).unwrap()), "").await;
    assert!(error.contains("do not fit") && error.contains("handle"), "{error}");
    // A version that is not compatible.
    let other = "package wasi:http@0.3.0; interface outgoing-handler { handle: func(number: u32) -> u32; }";
    let mut resolve = Resolve::default();
    resolve.push_source("http.wit", other).unwrap();
    let module = module.replace("0.2.12", "0.3.0");
    let world = format!("package test:it; world it {{ export {HANDLER}@0.3.0; }}");
    let error = refused(&encode(resolve, &world, wat::parse_str(module).unwrap()), "").await;
    assert!(error.contains("does not export it"), "{error}");
    // No component at all.
    assert!(refused(b"nothing", "").await.contains("not a WebAssembly file"));
}

#[tokio::test]
async fn it_stands_in_front_of_something_and_is_the_one_that_was_meant() {
    let pass = front("", PASS, "");
    let error = refused(&pass, ", tools = [\"sh\"]").await;
    assert!(error.contains("the tool `sh` does not import it"), "{error}");
    let error = refused(&pass, &format!(", sha256 = \"{}\"", "0".repeat(64))).await;
    assert!(error.contains("has another digest"), "{error}");
    // The twins.
    let digest = wisp_policy::digest::sha256(&pass);
    let component = file(&pass);
    for keys in [", tools = [\"curl\"]".to_owned(), format!(", sha256 = \"{digest}\"")] {
        ENGINE.session(&with(&component, &keys, "")).build().await.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn explain_shows_the_chain_and_its_digests() {
    let pass = front("", PASS, "");
    let (component, digest) = (file(&pass), wisp_policy::digest::sha256(&pass));
    let policy = with(&component, "", "");
    let explanation =
        wisp::explain::explain(ENGINE.components(), &CodeCache::none(), &policy).unwrap_or_else(|errors| panic!("{errors:?}"));
    let text = explanation.to_string();
    let name = component.path().file_name().unwrap().to_string_lossy().into_owned();
    assert!(!explanation.refuses());
    assert!(text.contains(&format!("curl → wasi:http/outgoing-handler@0.2.12 → {name}\n  component sha256 {digest}\n")), "{text}");
}
