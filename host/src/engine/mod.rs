//! Components → machine code. Knows wasmtime and nothing of ours: no policy, no session.

mod alarms;
mod cache;
mod code;
mod config;
mod cpu;
mod extract;
pub(crate) mod memory;
mod near;
mod ready;
mod ticker;

pub use cache::{CacheError, CodeCache};
pub(crate) use code::Code;
pub use code::CodeOrigin;
pub(crate) use config::Memory;
#[cfg(test)]
pub(crate) use config::Slots;
pub use config::{MemoryChoice, Metering, Runtime, RuntimeError};
pub(crate) use cpu::Faults;
pub use cpu::{CpuMeter, Metered};
pub use memory::{SlotBounds, SlotMetrics};
pub(crate) use ready::{Ready, Shelf, at_once};
pub(crate) use ticker::Alarm;
pub use ticker::{TICK, Ticker, Ticking};
