//! Memory of processes, copy on write: an instance starts with its memory mapped over an image, and what it wrote is
//! copied back when it has ended, so that a reused slot causes no page faults.
//!
//! If the kernel lacks the means, wasmtime's pooling allocator is used (see [`super::config`]).

mod creator;
mod image;
mod live;
mod metrics;
mod plan;
mod pool;
mod stack;
mod sys;

pub(crate) use creator::SlotMemories;
pub(crate) use image::{Image, can_make_files, sealed};
pub(crate) use live::LiveMemory;
pub(crate) use metrics::Place;
pub use metrics::{SlotBounds, SlotMetrics};
pub(crate) use plan::{MemoryShape, Plan, WASM_PAGE, ZeroPools, instantiate};
pub(crate) use pool::{Queue, SlotPool, Space};
pub(crate) use stack::{LiveStack, Stacks, noting, noting_stack};
pub(crate) use sys::thread_faults;

/// Returns the contents of a file, without reading it. The file must not change or be truncated while they are used.
///
/// # Errors
/// The system's.
pub(crate) fn view(file: std::fs::File) -> std::io::Result<bytes::Bytes> {
    Ok(bytes::Bytes::from_owner(sys::FileView::of(&file)?))
}

#[cfg(test)]
mod tests;
