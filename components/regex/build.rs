//! Writes the classes that are too large to be looked for when an expression is compiled.

use std::path::Path;

#[path = "src/letters.rs"]
mod letters;

type Test = fn(char) -> bool;

/// Returns the members of a class, as the lengths of what is out of it and in it, in turn, seven bits a byte, the lowest first.
fn packed(test: Test) -> Vec<u8> {
    let (mut out, mut length, mut inside) = (Vec::new(), 0_u32, false);
    for c in 0..=u32::from(char::MAX) + 1 {
        let now = char::from_u32(c).is_some_and(test);
        if now != inside {
            while length >= 0x80 {
                out.push((length & 0x7f) as u8 | 0x80);
                length >>= 7;
            }
            out.push(length as u8);
            (length, inside) = (0, now);
        }
        length += 1;
    }
    out
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/letters.rs");
    let tests: [(&str, Test); 3] = [("ALPHA", letters::is_alpha), ("UPPER", char::is_uppercase), ("LOWER", char::is_lowercase)];
    let tables = tests.map(|(name, test)| format!("const {name}: &[u8] = &{:?};\n", packed(test))).concat();
    let folder = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    std::fs::write(Path::new(&folder).join("tables.rs"), tables).expect("cargo lets build scripts write to OUT_DIR");
}
