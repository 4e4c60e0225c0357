//! Gives the wasm build a stack that JSON nested 10,000 deep fits into.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo:rustc-link-arg-bins=-zstack-size=8388608");
    }
}
