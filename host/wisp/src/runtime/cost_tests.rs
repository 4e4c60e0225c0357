//! What is counted, and what is refused.

use super::*;

fn of(text: &str) -> Result<u64, String> {
    cost(&wat::parse_str(text).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn what_is_in_an_instance_is_counted() {
    assert_eq!(of("(component)"), Ok(0));
    assert_eq!(of("(component (core module))"), Ok(0), "nothing is instantiated");
    let module = r#"(core module $m (import "a" "b" (func)) (func) (global i64 (i64.const 0)) (table 100 funcref) (memory 1))"#;
    let one = CORE + IMPORT + FUNCTION + GLOBAL + TABLE + 100 * ELEMENT + MEMORY;
    let instance = r#"(core module $f (func (export "b"))) (core instance $a (instantiate $f))"#;
    let twice = format!(
        r#"(component {module} {instance} (core instance (instantiate $m (with "a" (instance $a))))
           (core instance (instantiate $m (with "a" (instance $a)))))"#
    );
    assert_eq!(of(&twice), Ok(CORE + FUNCTION + 2 * one));
}

#[test]
fn nested_components_are_counted_as_often_as_they_are_instantiated() {
    let text = "(component (core module $m) (core module $other (global i32 (i32.const 1)))
        (component $c (alias outer 1 $m (core module $x)) (core instance (instantiate $x)) (core instance (instantiate $x)))
        (component $d (alias outer 1 $c (component $y)) (instance (instantiate $y)) (instance (instantiate $y)))
        (instance (instantiate $d)) (instance (instantiate $c)) (core instance (instantiate $other)))";
    assert_eq!(of(text), Ok(7 * CORE + GLOBAL + 4 * COMPONENT));
}

#[test]
fn what_costs_too_much_is_refused_and_the_largest_that_does_not_is_taken() {
    let globals = |count: usize| {
        format!("(component (core module $m {}) (core instance (instantiate $m)))", "(global i32 (i32.const 1))".repeat(count))
    };
    assert!(of(&globals(1_000_000)).is_ok());
    let refused = of(&globals(1_100_000)).unwrap_err();
    assert!(refused.contains("cost the host 17 MiB for each process") && refused.contains("16 MiB"), "{refused}");
    let many = |count: usize| format!("(component (core module $m) {})", "(core instance (instantiate $m))".repeat(count));
    assert!(of(&many(200)).is_ok());
    assert!(of(&many(201)).unwrap_err().contains("201 core instances"));
    let table = "(component (core module $m (table 190000 funcref)) (core instance (instantiate $m)) (core instance (instantiate $m)))";
    assert!(of(table).is_ok());
}

#[test]
fn doubling_and_nesting_end() {
    let mut text = String::from("(component $c0 (core module $m) (core instance (instantiate $m)))");
    for level in 1..70 {
        let before = level - 1;
        text.push_str(&format!(
            "(component $c{level} (alias outer 1 $c{before} (component $x)) (instance (instantiate $x)) (instance (instantiate $x)))"
        ));
    }
    let doubled = of(&format!("(component {text} (instance (instantiate $c69)))")).unwrap_err();
    assert!(doubled.contains("core instances"), "{doubled}");
    let nested = |levels: usize| {
        let mut inner = wasm_encoder::Component::new();
        for _ in 1..levels {
            let mut outer = wasm_encoder::Component::new();
            outer.section(&wasm_encoder::NestedComponentSection(&inner));
            inner = outer;
        }
        cost(&inner.finish()).map_err(|error| error.to_string())
    };
    assert_eq!(nested(MAX_DEPTH), Ok(0));
    assert!(nested(MAX_DEPTH + 1).unwrap_err().contains("levels of components"));
}

#[test]
fn what_is_not_known_is_refused() {
    let given = r#"(component (component $c (import "m" (core module $m)) (core instance (instantiate $m))))"#;
    assert!(of(given).unwrap_err().contains("given as values"));
}

#[test]
fn what_every_instance_keeps_of_its_segments_is_counted() {
    let of = |segments: &str| of(&format!("(component (core module $m (func $f) {segments}) (core instance (instantiate $m)))"));
    let nothing = CORE + FUNCTION;
    assert_eq!(of("(elem func $f $f $f)"), Ok(nothing + SEGMENT + 3 * SEGMENT_ELEMENT), "passive");
    assert_eq!(of("(elem funcref (ref.null func) (ref.func $f)) (elem funcref)"), Ok(nothing + 2 * SEGMENT + 2 * SEGMENT_ELEMENT));
    assert_eq!(of("(elem declare func $f $f $f)"), Ok(nothing));
    assert_eq!(of("(table 3 funcref) (elem (i32.const 0) func $f $f $f)"), Ok(nothing + TABLE + 3 * ELEMENT), "active");
    assert_eq!(of("(data \"abc\") (data \"\")"), Ok(nothing + 2 * DATA));
    assert_eq!(of("(tag) (tag)"), Ok(nothing + 2 * TAG));
}

#[test]
fn bombs_of_segments_and_of_nested_components_are_refused_and_smaller_ones_are_not() {
    let segments = |segment: &str, instances: usize| {
        let instances = "(core instance (instantiate $m))".repeat(instances);
        of(&format!("(component (core module $m (func $f) {segment}) {instances})"))
    };
    let elements = format!("(elem func {})", "$f ".repeat(10_000));
    assert!(segments(&elements, 190).unwrap_err().contains("cost the host 30 MiB for each process"));
    assert!(segments(&elements, 90).is_ok());
    let data = "(data \"\")".repeat(10_000);
    assert!(segments(&data, 190).unwrap_err().contains("cost the host"));
    assert!(segments(&data, 90).is_ok());
    let doubled = |levels: usize| {
        let level = |level: usize| {
            let before = level - 1;
            format!(
                "(component $c{level} (alias outer 1 $c{before} (component $x)) (instance (instantiate $x)) (instance (instantiate $x)))"
            )
        };
        let levels_of: String = (1..=levels).map(level).collect();
        of(&format!("(component (component $c0) {levels_of} (instance (instantiate $c{levels})))"))
    };
    assert_eq!(doubled(10), Ok(2047 * COMPONENT));
    assert!(doubled(20).unwrap_err().contains("instances that cost the host"));
}

#[test]
fn a_section_that_is_not_known_is_refused() {
    let inside = |section: &[u8]| {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        module.extend_from_slice(section);
        let mut component = b"\0asm\x0d\0\x01\0\x01".to_vec();
        component.push(module.len() as u8);
        component.extend(module);
        cost(&component).map_err(|error| error.to_string())
    };
    assert!(inside(&[77, 1, 0]).unwrap_err().contains("sections whose cost is not known (number 77)"));
    assert_eq!(inside(&[1, 1, 0]), Ok(0), "an empty section of types");
    // A component that is started with values: wasmtime does not have them.
    assert!(cost(b"\0asm\x0d\0\x01\0\x09\x03\0\0\0").unwrap_err().to_string().contains("(number 9)"));
}
