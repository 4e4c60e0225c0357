//! Extracting data: exactly what instantiating would have written, and only if that is certain.

use super::*;

/// Extracts from a component that is the program as a whole.
fn extract(component: &[u8]) -> Result<Extracted, ExtractError> {
    super::extract(component, &(0..component.len()))
}

fn component(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

const MODULE: &str = r#"
    (core module $m
        (memory (export "memory") 2 4)
        (func (export "get") (param i32) (result i32) (i32.load8_u (local.get 0)))
        (data (i32.const 8) "one")
        (data (i32.const 65540) "two")
        (data (i32.const 9) "XY\00\00"))
    (core instance $i (instantiate $m))
    (func (export "get") (param "at" u32) (result u32) (canon lift (core func $i "get")))
"#;

fn image() -> Contents {
    let mut data = vec![0; 65543];
    data[8..11].copy_from_slice(b"oXY");
    data[65540..65543].copy_from_slice(b"two");
    Contents { shape: MemoryShape { minimum: 2, maximum: Some(4) }, data }
}

#[test]
fn segments_become_an_image_in_their_order() {
    let before = component(&format!("(component {MODULE})"));
    let Extracted { component: after, contents, .. } = extract(&before).unwrap();
    assert_eq!(contents.unwrap(), image());
    wasmparser::Validator::new().validate_all(&after).unwrap();
    assert!(!after.windows(3).any(|bytes| bytes == b"two"));
    let again = extract(&after).unwrap();
    assert_eq!((again.component, again.contents), (after, None));
}

#[test]
fn nested_components_are_searched() {
    let text = format!("(component (component $c {MODULE}) (instance $i (instantiate $c)) (export \"get\" (func $i \"get\")))");
    let Extracted { component: after, contents, .. } = extract(&component(&text)).unwrap();
    assert_eq!(contents.unwrap(), image());
    wasmparser::Validator::new().validate_all(&after).unwrap();
}

#[test]
fn what_is_not_certain_stays() {
    for (reason, module) in [
        ("an imported memory", "(core module (import \"a\" \"m\" (memory 1)) (data (i32.const 0) \"x\"))"),
        ("code that names a segment", "(core module (memory 1) (func (data.drop 0)) (data (i32.const 0) \"x\"))"),
        ("a passive segment", "(core module (memory 1) (data \"x\"))"),
        ("an offset of an import's", "(core module (import \"a\" \"g\" (global i32)) (memory 1) (data (global.get 0) \"x\"))"),
        ("outside of the memory", "(core module (memory 1) (data (i32.const 65536) \"x\"))"),
        ("nothing but zeros of no length", "(core module (memory 1) (data (i32.const 0) \"\"))"),
        ("two memories of one type", "(core module (memory 1) (data (i32.const 0) \"x\")) (core module (memory 1))"),
        ("no memory", "(core module)"),
    ] {
        let before = component(&format!("(component {module})"));
        let Extracted { component: after, contents, .. } = extract(&before).unwrap();
        assert!(contents.is_none() && after == before, "{reason}");
    }
}

#[test]
fn the_memory_with_the_most_is_taken() {
    let text = "(component (core module (memory 1) (data (i32.const 0) \"x\")) (core module (memory 2) (data (i32.const 9) \"yz\")))";
    let Extracted { contents, .. } = extract(&component(text)).unwrap();
    assert_eq!(contents.unwrap().shape.minimum, 2);
}

#[test]
fn what_runs_when_it_starts_is_known() {
    let inert = |text: &str| extract(&component(text)).unwrap().inert;
    assert!(inert(&format!("(component {MODULE})")));
    assert!(!inert(&format!("(component {MODULE} (core module (func $f) (start $f)))")), "a start function");
    assert!(!inert("(component (component (core module (func $f) (start $f))))"), "a start function in a nested component");
}

#[test]
fn what_would_cost_too_much_is_refused() {
    let many = "(core module)".repeat(MAX_MODULES + 1);
    let refused = extract(&component(&format!("(component {many})"))).unwrap_err().to_string();
    assert!(refused.contains("401 core modules"), "{refused}");
    assert!(extract(&component(&format!("(component {})", "(core module)".repeat(MAX_MODULES)))).is_ok());
    assert!(extract(b"not a component").is_err());
    let mut cut = component(&format!("(component {MODULE})"));
    cut.truncate(cut.len() / 2);
    let _ = extract(&cut);
}

#[test]
fn only_the_programs_own_data_and_words_are_extracted() {
    let front = r#"(component (core module (memory 3) (data (i32.const 0) "a much longer text than the other one has")))"#;
    let inner = format!("(component {MODULE} (@custom \"wisp:signal-flags\" \"\\08\\00\\00\\00\\01\\00\\00\\00\"))");
    let whole = component(&format!("(component {front} {inner})"));
    let program = component(&inner);
    let at = whole.windows(program.len()).position(|part| part == program).unwrap();
    let Extracted { contents, signal_words, whole: alone, .. } = super::extract(&whole, &(at..at + program.len())).unwrap();
    assert_eq!((contents, signal_words, alone), (Some(image()), vec![(8, 1)], false));
    // The twin: of the component in front, what it has.
    let front = component(front);
    let at = whole.windows(front.len()).position(|part| part == front).unwrap();
    let Extracted { contents, signal_words, .. } = super::extract(&whole, &(at..at + front.len())).unwrap();
    assert_eq!((contents.map(|contents| contents.shape.minimum), signal_words), (Some(3), vec![]));
}
