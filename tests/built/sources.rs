//! Sources of components: a folder, and a program's table. Here and not in `wisp-components`, which the command's build script is built
//! with: what its tests depend on would change the features of what builds wasmtime.

use std::fs;

use sha2::{Digest, Sha256};
use wisp_components::packed::{self, Packed, PackedComponent};
use wisp_components::{Component, ComponentError, Components};

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file in it");
    }
    folder
}

#[test]
fn a_folder_gives_its_components_with_what_lies_beside_them() {
    let place = folder(&[
        ("sh.wasm", b"shell"),
        ("sh.applets", b"bash\n\n  dash \n"),
        ("sh.base.tar", b"archive"),
        ("true.wasm", b"t"),
        (".half.wasm", b"x"),
        ("notes.txt", b"x"),
    ]);
    let source = Components::from_folder(place.path()).expect("a readable folder");
    assert_eq!(source.list().map(Component::name).collect::<Vec<_>>(), ["sh", "true"]);
    let shell = source.lookup("sh").expect("the shell");
    assert_eq!(shell.applets(), ["bash", "dash"]);
    assert_eq!(shell.bytes().expect("its bytes"), b"shell");
    assert_eq!(shell.base().expect("its files").as_deref(), Some(&b"archive"[..]));
    assert_eq!(shell.digest(), sha256(b"shell"));
    assert_eq!(source.lookup("true").expect("another").base().expect("no files"), None);
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let place = folder(&[("sh.wasm", b"shell"), ("coreutils.wasm", b"tools")]);
    let source = Components::from_folder(place.path()).expect("a readable folder");
    let message = source.lookup("perl").expect_err("no perl").to_string();
    assert!(message.contains("no component `perl`") && message.contains("`coreutils`, `sh`"), "{message}");
}

#[test]
fn a_file_that_changes_after_it_was_listed_is_refused() {
    let place = folder(&[("sh.wasm", b"shell")]);
    let source = Components::from_folder(place.path()).expect("a readable folder");
    fs::write(place.path().join("sh.wasm"), b"another").expect("a write");
    let error = source.lookup("sh").expect("still listed").bytes().expect_err("a changed file");
    assert!(matches!(error, ComponentError::Damaged { .. }), "{error}");
}

#[test]
fn a_folder_without_components_says_how_to_get_some() {
    let place = folder(&[("notes.txt", b"x"), (".half.wasm", b"x")]);
    for (folder, says) in [(place.path().to_owned(), "` has no components"), (place.path().join("absent"), "does not exist")] {
        let message = Components::from_folder(folder).expect_err("nothing there").to_string();
        for word in [says, "toolchain/just build", "target/components", "WISP_COMPONENTS"] {
            assert!(message.contains(word), "{message}");
        }
    }
}

#[test]
fn what_is_no_folder_is_an_error() {
    let place = folder(&[("sh.wasm", b"shell")]);
    let error = Components::from_folder(place.path().join("sh.wasm")).expect_err("a file");
    assert!(matches!(error, ComponentError::Unreadable { .. }), "{error}");
}

/// Packs as the build script of `wisp-embedded` does.
fn pack(content: &[u8]) -> Packed {
    let zstd = zstd::bulk::compress(content, 1).expect("it can be compressed");
    Packed { zstd: zstd.leak(), sha256: sha256(content).leak(), size: content.len() as u64 }
}

#[test]
fn a_packed_component_is_the_one_of_the_folder() {
    let place = folder(&[("sh.wasm", b"shell"), ("sh.applets", b"bash\n"), ("sh.base.tar", b"archive"), ("true.wasm", b"t")]);
    let shell = PackedComponent { name: "sh", applets: &["bash"], wasm: pack(b"shell"), base: Some(pack(b"archive")) };
    let other = PackedComponent { name: "true", applets: &[], wasm: pack(b"t"), base: None };
    let packed = packed::components("this test", &[shell, other]).expect("two of them");
    let folder = Components::from_folder(place.path()).expect("a readable folder");
    assert_eq!((packed.folder(), folder.folder()), (None, Some(place.path())));
    let told = |components: &Components| {
        let told = |one: &Component| {
            let facts = (one.name().to_owned(), one.applets().to_vec(), one.size());
            let digests = (one.digest().to_owned(), one.base_digest().map(str::to_owned));
            (facts, digests, one.bytes().expect("its bytes"), one.base().expect("its files"))
        };
        components.list().map(told).collect::<Vec<_>>()
    };
    assert_eq!(told(&packed), told(&folder));
}

#[test]
fn a_program_that_holds_none_says_so() {
    let message = packed::components("this test", &[]).expect_err("no components").to_string();
    assert!(message.starts_with("this test has no components; `toolchain/just build` makes them"), "{message}");
}

#[test]
fn a_damaged_package_is_refused() {
    let wasm = Packed { zstd: b"not zstd", ..pack(b"expected") };
    let table = [PackedComponent { name: "x", applets: &[], wasm, base: Some(Packed { sha256: "0", ..pack(b"archive") }) }];
    let packed = packed::components("this test", &table).expect("one");
    let component = packed.lookup("x").expect("it is listed");
    assert!(matches!(component.bytes(), Err(ComponentError::Damaged { .. })));
    assert!(matches!(component.base(), Err(ComponentError::Damaged { .. })));
}
