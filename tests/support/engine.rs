//! The engine of a test program.

use std::sync::LazyLock;

use wisp::Engine;

/// Shared by all tests of a program, as by all sessions of a service: components are compiled once.
pub static ENGINE: LazyLock<Engine> = LazyLock::new(engine);

/// Another one like it.
///
/// # Panics
/// When there is none, because the components are not built.
pub fn engine() -> Engine {
    Engine::new(wisp_built::components()).expect("an engine")
}
