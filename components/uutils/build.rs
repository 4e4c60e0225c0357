//! Has libc say that a directory is one: see `components/coreutils/src/sys/unreadable.rs`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        println!("cargo:rustc-link-arg-bins=--wrap=read");
    }
}
