//! Malformed and hostile components.

use wisp::SessionError;

use crate::escape::kit::{ENGINE, component, file, policy, raw_guest, run};

async fn refused(bytes: &[u8]) -> SessionError {
    let file = file(bytes);
    match ENGINE.session(&policy(&[], "")).tool("evil", file.path()).build().await {
        Ok(_) => panic!("the session started"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn unknown_imports_are_refused_all_at_once() {
    let module = r#"(module
        (import "evil:host/root" "shell" (func))
        (import "evil:host/memory" "peek" (func))
        (import "wasi:clocks/monotonic-clock@0.2.12" "now" (func (result i64)))
        (func (export "wasi:cli/run@0.2.12#run") (result i32) (i32.const 0)))"#;
    let bytes = component(
        wat::parse_str(module).unwrap(),
        "package evil:host; interface root { shell: func(); } interface memory { peek: func(); }",
        "import evil:host/root; import evil:host/memory;",
    );
    let error = refused(&bytes).await.to_string();
    assert!(error.contains("evil:host/root") && error.contains("evil:host/memory"), "{error}");
}

#[tokio::test]
async fn a_component_without_a_program_is_refused() {
    let mut module = wat::parse_str("(module)").unwrap();
    let mut resolve = wit_parser::Resolve::default();
    let package = resolve.push_source("it.wit", "package test:it; world it {}").unwrap();
    let world = resolve.select_world(&[package], None).unwrap();
    wit_component::embed_component_metadata(&mut module, &resolve, world, wit_component::StringEncoding::UTF8).unwrap();
    let bytes = wit_component::ComponentEncoder::default().module(&module).unwrap().encode().unwrap();
    let error = refused(&bytes).await.to_string();
    assert!(error.contains("run"), "{error}");
}

#[tokio::test]
async fn every_cut_of_a_component_is_refused_without_a_panic() {
    let whole = raw_guest("", r#"(func (export "run") (result i32) (i32.const 0))"#);
    // The last bytes are names for tools, which may be missing.
    for length in (0..whole.len() - 64).step_by(7) {
        let file = file(&whole[..length]);
        if ENGINE.session(&policy(&[], "")).tool("evil", file.path()).build().await.is_ok() {
            panic!("{length} of {} bytes were taken for a component", whole.len());
        }
    }
}

#[tokio::test]
async fn a_component_with_flipped_bytes_is_refused_or_runs_within_its_world() {
    let whole = raw_guest("", r#"(func (export "run") (result i32) (i32.const 0))"#);
    for place in (8..whole.len()).step_by(11) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x55;
        let file = file(&bytes);
        // Either result is right; the test is that nothing panics and nothing hangs.
        let _ = ENGINE.session(&policy(&[], "")).tool("evil", file.path()).build().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trap_ends_the_process_alone() {
    for (body, code) in [
        ("unreachable", 134),
        ("(i32.div_u (i32.const 1) (i32.const 0))", 134),
        ("(call $f)", 139),
        ("(i32.load (i32.const -4))", 139),
        ("(memory.fill (i32.const 0) (i32.const 1) (i32.const -1)) (i32.const 0)", 139),
        ("(i32.trunc_f32_s (f32.const nan))", 134),
        ("(call_indirect (result i32) (i32.const 7))", 134),
        ("(i32.const 0)", 0),
        ("(i32.const 1)", 1),
    ] {
        let bytes = raw_guest(
            "",
            &format!("(memory 1) (table 1 funcref) (func $f (result i32) (call $f)) (func (export \"run\") (result i32) {body})"),
        );
        let outcome = run(&bytes, "").await;
        assert_eq!(outcome.exit_code(), code, "{body}: {}", outcome.stderr_text());
        assert_eq!(outcome.limit, None);
    }
}
