//! Tests of the component sources.

use super::*;

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
    let source = ComponentSource::directory(place.path()).expect("a readable folder");
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
    let source = ComponentSource::directory(place.path()).expect("a readable folder");
    let message = source.lookup("perl").expect_err("no perl").to_string();
    assert!(message.contains("no component `perl`") && message.contains("`coreutils`, `sh`"), "{message}");
}

#[test]
fn a_file_that_changes_after_it_was_listed_is_refused() {
    let place = folder(&[("sh.wasm", b"shell")]);
    let source = ComponentSource::directory(place.path()).expect("a readable folder");
    fs::write(place.path().join("sh.wasm"), b"another").expect("a write");
    let error = source.lookup("sh").expect("still listed").bytes().expect_err("a changed file");
    assert!(matches!(error, ComponentError::Damaged { .. }), "{error}");
}

#[test]
fn a_folder_without_components_says_how_to_get_some() {
    let place = folder(&[]);
    let source = ComponentSource::directory(place.path()).expect("an empty folder");
    let message = source.lookup("sh").expect_err("nothing there").to_string();
    assert!(message.contains("toolchain/just build") && message.contains("WISP_COMPONENTS"), "{message}");
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let place = folder(&[]);
    let error = ComponentSource::directory(&place.path().join("absent")).expect_err("no such folder");
    assert!(matches!(error, ComponentError::Unreadable { .. }), "{error}");
}

#[test]
fn every_embedded_component_unpacks_to_its_digest() {
    for component in ComponentSource::embedded().list() {
        let bytes = component.bytes().unwrap_or_else(|error| panic!("{}: {error}", component.name()));
        assert_eq!(bytes.len() as u64, component.size(), "{}", component.name());
        component.base().unwrap_or_else(|error| panic!("{}: {error}", component.name()));
    }
}

#[test]
fn a_damaged_package_is_refused() {
    let stored = Stored { sha256: sha256(b"expected"), size: 8, place: Place::Packed(b"not zstd") };
    assert!(matches!(stored.load("x"), Err(ComponentError::Damaged { .. })));
}
