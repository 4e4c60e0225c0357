//! From components to machine code. This module knows wasmtime, and neither policies nor sessions.

mod alarms;
mod cache;
mod cache_error;
mod code;
mod config;
mod cost;
mod cpu;
mod data_image;
mod fault;
mod folder;
pub(crate) mod memory;
mod percpu;
mod place;
mod prewarm;
mod record;
mod sections;
mod ship;
mod signal_words;
mod source;
mod ticker;

pub(crate) use crate::meter::CpuMeter;
pub use cache::CodeCache;
pub use cache_error::CacheError;
pub use code::CodeOrigin;
pub(crate) use code::{Code, Uncompiled};
#[cfg(test)]
pub(crate) use config::Slots;
pub(crate) use config::{CORES_PER_COMPONENT, ENGINE_THREADS, FIBER_STACK, Memory, Metering, Runtime};
pub use config::{MemoryChoice, RuntimeError};
pub(crate) use cost::{ELEMENT as TABLE_ELEMENT, check_cost};
pub(crate) use cpu::{Faults, Metered};
pub use fault::FailPoint;
pub(crate) use fault::{FailPoints, HostFault, host_fault};
pub use memory::{SlotBounds, SlotMetrics};
pub(crate) use place::default_folder;
pub(crate) use prewarm::{PrewarmPool, Prewarmed, without_waiting};
pub(crate) use source::{WasmtimeError, host_code};
pub(crate) use ticker::Alarm;
pub use ticker::{Ticker, Ticking};
