//! Images of interpreters, and the engine with exceptions that they alone have. The image here is made for the test: a component that
//! throws, in the place of `python3`.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use wisp::policy::Access;
use wisp::{Command, Engine, EngineBuilder, Policy, SessionError};

use crate::escape::kit::{ENGINE, file, policy, raw_guest, threaded_guest};

/// A component that throws an exception of wasm and catches it.
fn throwing() -> Vec<u8> {
    raw_guest(
        "",
        r#"(tag $thrown)
           (func (export "run") (result i32)
               (block $caught (try_table (catch_all $caught) (throw $thrown)))
               (i32.const 0))"#,
    )
}

/// The end of an archive, without a file.
const EMPTY_ARCHIVE: [u8; 1024] = [0; 1024];

fn put(images: &Path, component: &[u8]) {
    let folder = images.join("data");
    fs::create_dir_all(&folder).unwrap();
    let mut lines = String::new();
    for (name, bytes) in [("python3.wasm", component), ("python3.base.tar", &EMPTY_ARCHIVE[..])] {
        fs::write(folder.join(name), bytes).unwrap();
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        lines += &format!("{name} {digest} {}\n", bytes.len());
    }
    fs::write(folder.join("image"), lines).unwrap();
}

/// A folder with the image, and a cache beside it.
fn place() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    put(&place.path().join("images"), &throwing());
    place
}

fn builder(place: &TempDir) -> EngineBuilder {
    Engine::builder(wisp_built::components()).cache_directory(place.path().join("cache")).images(place.path().join("images"))
}

/// A policy whose `python3` is the image.
fn data(lines: &str) -> Policy {
    policy(&["python3"], &format!("python = \"data\"\n{lines}"))
}

#[tokio::test]
async fn only_the_image_has_the_engine_with_exceptions() {
    let place = place();
    let engine = builder(&place).compile_images(true).build().unwrap();
    // The very bytes of the image, also after the image itself has been prepared.
    let component = file(&throwing());
    for policy in [policy(&[], ""), data(""), data("[limits]\ninstructions = 1_000_000_000")] {
        let session = engine.session(&policy).tool("evil", component.path()).build().await.unwrap();
        if policy.tools().contains("python3") {
            assert_eq!(session.run(Command::new("python3")).await.unwrap().exit_code(), 0);
        }
        let error = session.prepare_program("evil").await.unwrap_err();
        assert!(matches!(error, SessionError::Compile { .. }) && error.to_string().contains("exceptions"), "{error}");
        assert!(session.run(Command::new("evil")).await.is_err());
    }
}

#[tokio::test]
async fn a_component_that_the_engine_with_exceptions_may_not_have_is_refused_as_an_image_too() {
    // Objects of the collected heap that a guest makes itself, and calls by typed references.
    for body in [
        r#"(type $pair (struct (field i32))) (func (export "run") (result i32) (struct.get $pair 0 (struct.new $pair (i32.const 0))))"#,
        r#"(type $f (func (result i32))) (func $zero (type $f) (i32.const 0)) (elem declare func $zero)
           (func (export "run") (result i32) (call_ref $f (ref.func $zero)))"#,
    ] {
        let place = TempDir::new().unwrap();
        put(&place.path().join("images"), &raw_guest("", body));
        let engine = builder(&place).compile_images(true).build().unwrap();
        let started = async {
            let session = engine.session(&data("")).build().await?;
            session.prepare_program("python3").await
        };
        assert!(started.await.is_err(), "{body}");
    }
}

#[tokio::test]
async fn an_image_has_no_threads_because_its_exceptions_would_not_be_found_on_their_stacks() {
    let place = TempDir::new().unwrap();
    let threads = r#"(func (export "enter") (param i32))
        (func (export "run") (result i32) (call $make (i32.const 0) (i32.const 0) (i32.const 0)) (i32.const 0))"#;
    put(&place.path().join("images"), &threaded_guest("", threads));
    let engine = builder(&place).compile_images(true).build().unwrap();
    let refused = engine.session(&data("")).build().await.unwrap_err();
    assert!(matches!(refused, SessionError::World(_)) && refused.to_string().contains("no exceptions of wasm on them"), "{refused}");
}

/// Exceptions with 64 numbers each: one that is held in each frame of a recursion, and ones that nothing holds.
#[tokio::test]
async fn the_heap_of_exceptions_is_charged_and_collected() {
    let numbers = "(i64.const 0)".repeat(64);
    let tag = format!("(tag $thrown (param {}))", "i64 ".repeat(64));
    let held = format!(
        r#"{tag}
           (func $hold (result i32)
               (local $held exnref)
               (local.set $held (block $caught (result exnref)
                   (try_table (catch_all_ref $caught) {numbers} (throw $thrown))
                   (unreachable)))
               (drop (call $hold))
               (throw_ref (local.get $held)))
           (func (export "run") (result i32) (call $hold))"#
    );
    let dropped = format!(
        r#"{tag}
           (func (export "run") (result i32)
               (local $left i32)
               (local.set $left (i32.const 200000))
               (loop $again
                   (block $caught (try_table (catch_all $caught) {numbers} (throw $thrown)))
                   (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                   (br_if $again (local.get $left)))
               (i32.const 0))"#
    );
    for (body, limit) in [(held, Some("limits.memory")), (dropped, None)] {
        let place = TempDir::new().unwrap();
        put(&place.path().join("images"), &raw_guest("", &body));
        let engine = builder(&place).compile_images(true).build().unwrap();
        let session = engine.session(&data("[limits]\nmemory = \"16MiB\"")).build().await.unwrap();
        let outcome = session.run(Command::new("python3")).await.unwrap();
        assert_eq!(outcome.limit.as_ref().map(|hit| hit.limit.as_str()), limit, "{outcome:?}");
        assert_eq!(outcome.exit_code() == 0, limit.is_none(), "{outcome:?}");
    }
}

#[tokio::test]
async fn an_image_is_compiled_only_where_that_was_asked_and_the_message_names_the_command() {
    let place = place();
    let engine = builder(&place).build().unwrap();
    let counted = [("", false), ("[limits]\ninstructions = 1_000_000_000", true), ("[determinism]\nseed = 1", true)];
    for (lines, counts) in counted {
        let error = engine.session(&data(lines)).build().await.unwrap().prepare_program("python3").await.unwrap_err().to_string();
        let command = if counts { "`wisp prepare --image data --instructions`" } else { "`wisp prepare --image data`" };
        assert!(error.contains(command) && error.contains("3 minutes"), "{error}");
    }
    let compiling = builder(&place).compile_images(true).build().unwrap();
    for (lines, _) in counted {
        compiling.session(&data(lines)).build().await.unwrap().prepare_program("python3").await.unwrap();
        // What is in the cache now needs no permission.
        assert!(engine.session(&data(lines)).build().await.unwrap().prepare_program("python3").await.is_ok(), "{lines}");
    }
}

#[tokio::test]
async fn an_image_that_is_missing_or_changed_is_refused() {
    let start = async |place: &TempDir| builder(place).compile_images(true).build().unwrap().session(&data("")).build().await.map(drop);
    for name in ["python3.wasm", "python3.base.tar"] {
        let place = place();
        let path = place.path().join("images/data").join(name);
        let bytes = fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        changed[bytes.len() / 2] ^= 1;
        fs::write(&path, &changed).unwrap();
        let error = start(&place).await.unwrap_err().to_string();
        assert!(error.contains("is damaged"), "{name}: {error}");
        fs::write(&path, &bytes).unwrap();
        start(&place).await.unwrap();
    }
    let place = place();
    fs::rename(place.path().join("images"), place.path().join("moved")).unwrap();
    let error = start(&place).await.unwrap_err().to_string();
    assert!(error.contains("the image `data` is not at") && error.contains("toolchain/just python-data"), "{error}");
}

/// A guest that could write there would decide what `python3` is in the sessions of others.
#[tokio::test]
async fn the_images_of_a_program_that_embeds_wisp_are_in_no_write_mount() {
    let place = TempDir::new().expect("a temporary folder");
    let (service, work) = (place.path().join("service"), place.path().join("service/work"));
    let images = service.join("images");
    fs::create_dir_all(&work).unwrap();
    let engine = Engine::builder(wisp_built::components()).images(&images).build().unwrap();
    let mounted =
        |engine: &Engine, folder: &Path, access| engine.session(&policy(&["coreutils"], "")).mount(folder, "/mnt/input", access).build();
    // Before the folder is there, a guest could make it.
    for exists in [false, true] {
        let mut holders = vec![place.path().to_owned(), service.clone()];
        if exists {
            put(&images, b"an image");
            holders.extend([images.clone(), images.join("data")]);
        }
        for folder in holders {
            let error = mounted(&engine, &folder, Access::Write).await.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("contains wisp's images"), "{}: {error:?}", folder.display());
            for access in [Access::Read, Access::Overlay] {
                assert!(mounted(&engine, &folder, access).await.is_ok(), "{}: {access:?}", folder.display());
            }
            assert!(mounted(&ENGINE, &folder, Access::Write).await.is_ok(), "an engine with other images: {}", folder.display());
        }
        assert!(mounted(&engine, &work, Access::Write).await.is_ok(), "beside the images");
    }
}
