//! Has libc ask before it opens a path, and say that a directory is one: see `components/coreutils/src/sys/paths.rs`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        println!("cargo:rustc-link-arg-bins=--wrap=__wasilibc_find_relpath_alloc");
        println!("cargo:rustc-link-arg-bins=--wrap=read");
    }
}
