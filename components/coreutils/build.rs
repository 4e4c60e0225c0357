//! Makes libc call our checks before it opens a path and after it reads a directory: see `sys/paths.rs`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        println!("cargo:rustc-link-arg-bins=--wrap=__wasilibc_find_relpath_alloc");
        println!("cargo:rustc-link-arg-bins=--wrap=read");
    }
}
