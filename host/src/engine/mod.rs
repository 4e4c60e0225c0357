//! Components → machine code. Knows wasmtime and nothing of ours: no policy, no session.

mod cache;
mod config;
mod cpu;
mod ticker;

pub use cache::{CacheError, CodeCache, CodeOrigin};
pub use config::{Metering, Runtime, RuntimeError};
pub use cpu::{CpuMeter, Metered};
pub use ticker::{TICK, Ticker, Ticking};
