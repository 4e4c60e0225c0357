//! What was done, for people and for the tools that come after.

use serde::Serialize;

/// What fusing a component did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Size of the component, before and after.
    pub bytes: Change,
    /// The core modules that became one.
    pub merged: Vec<String>,
    /// The core modules that stayed as they were.
    pub kept: Vec<String>,
    /// Function bodies of the merged modules.
    pub functions: Change,
    /// Functions the merged modules import from outside of them.
    pub imports: Change,
    /// Exports of the merged modules.
    pub exports: Change,
    /// Tables.
    pub tables: Change,
    /// Data segments.
    pub segments: Change,
    /// Pages of 64 KiB of the memory at the start.
    pub pages: Change,
    /// Where the data of the memory ends: everything after it is zero at the start.
    pub data_end: usize,
    /// How many globals became constants.
    pub constant_globals: usize,
    /// Globals that code sets, and that lie in memory now.
    pub moved_globals: Vec<Global>,
    /// Globals that code sets and that stayed: at most the stack pointer, which is back at its value when a call has returned, or the call traps.
    pub remaining_globals: Vec<Global>,
    /// Functions that ask for the size of the memory. Where globals moved, it is a page more than before.
    pub asks_memory_size: Vec<String>,
    /// CPython objects that were listed as immortal.
    pub immortal: usize,
    /// Those of them that were not immortal before.
    pub made_immortal: usize,
}

/// A number before and after.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Change {
    /// In the component that was given.
    pub before: usize,
    /// In the fused component.
    pub after: usize,
}

/// A global that code sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Global {
    /// The core module that defines it.
    pub module: String,
    /// Its index there.
    pub index: u32,
    /// Its name, if the module has one for it.
    pub name: Option<String>,
    /// Its type.
    pub ty: String,
    /// Where it lies in memory now.
    pub address: Option<u32>,
    /// Its bytes at the start, little endian, in hexadecimal.
    pub value: String,
}
