//! Gives the wasm build a stack that is large enough for the interpreter's nesting limits.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-bins=-zstack-size=8388608");
    }
}
