//! Shared by the attacks: one engine, sessions by policy text, and guests written in WebAssembly text.

use std::io::Write;

use tempfile::NamedTempFile;
use wisp::policy::HostFiles;
use wisp::{Command, Components, Engine, MemoryChoice, Outcome, Policy, Session};
pub(crate) use wisp_tests::engine::ENGINE;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// Imports and functions that every guest has: `$exit`, `$say` (to standard output), `$write_to` (a descriptor).
/// Results of host functions go to address 0; a guest's own data begins at 1024, allocations begin at 65536.
const PRELUDE: &str = r#"
    (import "wisp:sandbox/process@0.1.0" "exit" (func $exit (param i32)))
    (import "wisp:sandbox/process@0.1.0" "inherited" (func $inherited (param i32 i32)))
    (import "wisp:sandbox/files@0.1.0" "[method]open-file.write" (func $write (param i32 i32 i32 i32)))
"#;

const COMMON: &str = r#"
    (global $next (mut i32) (i32.const 65536))
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        (local $at i32)
        (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
        (global.set $next (i32.add (local.get $at) (local.get 3)))
        (if (i32.gt_u (global.get $next) (i32.mul (memory.size) (i32.const 65536)))
            (then (drop (memory.grow (i32.add (i32.div_u (local.get 3) (i32.const 65536)) (i32.const 1))))))
        (local.get $at))
    (func $write_to (param $fd i32) (param $at i32) (param $len i32)
        (call $inherited (local.get $fd) (i32.const 0))
        (call $write (i32.load (i32.const 4)) (local.get $at) (local.get $len) (i32.const 16)))
    (func $say (param $at i32) (param $len i32)
        (call $write_to (i32.const 1) (local.get $at) (local.get $len)))
"#;

/// A guest: its imports in addition to the prelude's, and its functions, one of which is exported as `run`.
pub(crate) fn guest(imports: &str, body: &str) -> Vec<u8> {
    component_of(imports, body, "")
}

/// As [`guest`], with these lines in its world.
pub(crate) fn component_of(imports: &str, body: &str, more: &str) -> Vec<u8> {
    component(module(&format!("{PRELUDE}{imports}"), &format!("(memory (export \"memory\") 4){COMMON}{body}")), "", more)
}

/// A guest with threads, `$make` and `$switch`, for [`python3`]; its functions include one that is exported as `enter`.
pub(crate) fn threaded_guest(imports: &str, body: &str) -> Vec<u8> {
    let body = body.replace("(export \"enter\")", "(export \"wisp:sandbox/thread-entry@0.1.0#enter\")");
    let module = module(&format!("{PRELUDE}{THREADS}{imports}"), &format!("(memory (export \"memory\") 4){COMMON}{body}"));
    component(module, "", "export wisp:sandbox/thread-entry@0.1.0;")
}

/// What makes threads and switches between them.
pub(crate) const THREADS: &str = r#"
    (import "wisp:sandbox/threads@0.1.0" "make" (func $make (param i32 i32 i32)))
    (import "wisp:sandbox/threads@0.1.0" "switch" (func $switch (param i32)))
"#;

/// A guest that claims to be an interpreter; its functions include those that are exported as `run`, `eval` and `park`.
pub(crate) fn interpreter(body: &str) -> Vec<u8> {
    let body = ["eval", "park"].iter().fold(body.to_owned(), |body, name| {
        body.replace(&format!("(export \"{name}\")"), &format!("(export \"wisp:sandbox/evaluation@0.1.0#{name}\")"))
    });
    component_of("", &body, "export wisp:sandbox/evaluation@0.1.0;")
}

/// A guest without the prelude and without a memory. It may import the interfaces of the host.
pub(crate) fn raw_guest(imports: &str, body: &str) -> Vec<u8> {
    component(module(imports, body), "", "")
}

fn module(imports: &str, body: &str) -> Vec<u8> {
    let text = format!("(module {imports} {body})").replace("(export \"run\")", "(export \"wasi:cli/run@0.2.12#run\")");
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What every guest may import.
pub(crate) const IMPORTS: &str = "
    import wasi:clocks/monotonic-clock@0.2.12; import wasi:io/poll@0.2.12; import wasi:io/streams@0.2.12;
    import wasi:cli/stdout@0.2.12; import wasi:random/random@0.2.12;
    import wasi:filesystem/types@0.2.12; import wasi:filesystem/preopens@0.2.12;
    import wisp:sandbox/files@0.1.0; import wisp:sandbox/process@0.1.0; import wisp:sandbox/threads@0.1.0;";

/// The component of a core module. `packages` are WIT packages of the test, `more` are lines of its world.
pub(crate) fn component(mut module: Vec<u8>, packages: &str, more: &str) -> Vec<u8> {
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    resolve.push_path(wisp_tests::wisp::root().join("wit")).expect("the WIT of the repository");
    if !packages.is_empty() {
        resolve.push_source("packages.wit", packages).expect("the test's packages");
    }
    let world = format!(
        "package test:it; world it {{
            {IMPORTS}
            {more}
            export wasi:cli/run@0.2.12;
        }}"
    );
    let package = resolve.push_source("it.wit", &world).expect("the test's world");
    let world = resolve.select_world(&[package], Some("it")).expect("there is one world");
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
        .and_then(|()| ComponentEncoder::default().validate(true).module(&module)?.encode())
        .unwrap_or_else(|error| panic!("{error:#}"))
}

/// The bytes as a file, which lives as long as the returned value.
pub(crate) fn file(bytes: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for a temporary file");
    file
}

/// A policy with these shipped tools and these additional lines.
pub(crate) fn policy(tools: &[&str], lines: &str) -> Policy {
    let text = format!("name = \"test\"\n[tools]\nallow = {tools:?}\n{lines}");
    Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A session under `policy`, with these guests as tools.
pub(crate) async fn session(policy: &Policy, guests: &[(&str, &[u8])]) -> Session {
    let files: Vec<NamedTempFile> = guests.iter().map(|(_, bytes)| file(bytes)).collect();
    let mut builder = ENGINE.session(policy);
    for ((name, _), file) in guests.iter().zip(&files) {
        builder = builder.tool(name, file.path());
    }
    builder.build().await.unwrap_or_else(|error| panic!("{error}"))
}

/// Runs the guest alone in a session with these additional lines of policy.
pub(crate) async fn run(guest: &[u8], lines: &str) -> Outcome {
    let session = session(&policy(&[], lines), &[("guest", guest)]).await;
    session.run(Command::new("guest")).await.expect("the guest starts")
}

/// A session in which `python3` is this guest: no other component may have threads. Its engine is its own.
pub(crate) async fn python3(guest: &[u8], lines: &str, memory: MemoryChoice) -> Session {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("python3.wasm"), guest).expect("room for a temporary file");
    let components = Components::from_folder(folder.path()).expect("a folder of components");
    let engine = Engine::builder(components).memory(memory).build().expect("an engine");
    let session = engine.session(&policy(&["python3"], lines)).build().await.unwrap_or_else(|error| panic!("{error}"));
    session.prepare_program("python3").await.expect("its machine code"); // while the folder is there
    session
}

/// Runs the guest as `python3`, in a session with these additional lines of policy.
pub(crate) async fn run_python3(guest: &[u8], lines: &str) -> Outcome {
    python3(guest, lines, MemoryChoice::Auto).await.run(Command::new("python3")).await.expect("the guest starts")
}

/// A guest that exits with the number of processes in its session.
pub(crate) fn counter() -> Vec<u8> {
    guest(
        r#"(import "wisp:sandbox/process@0.1.0" "processes" (func $processes (param i32)))"#,
        r#"(func (export "run") (result i32)
            (call $processes (i32.const 0))
            (call $exit (i32.load (i32.const 4)))
            unreachable)"#,
    )
}

/// Checks that a session still works: its engine, its filesystem and its processes.
pub(crate) async fn assert_works(session: &Session) {
    let outcome = session.run(Command::new("tee").arg("/tmp/works").stdin_bytes("works")).await.expect("tee starts");
    assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "works"), "{outcome:?}");
}
