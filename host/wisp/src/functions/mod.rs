//! Functions of the host program that code in the sandbox may call: what a program registers, and the gate that decides
//! on each call.
//!
//! A call goes [`process`] → [`gate`] (may this process call it, and is there room in the limits) → [`work`] (one call: its turn, its
//! time, panics, charges) → the function. [`record`] keeps the answers, or gives those that were kept. [`source`] has the functions
//! that a policy takes from elsewhere. [`call`](mod@call) is a call from outside the sandbox, through the same gate.

mod call;
mod error;
mod function;
mod gate;
mod process;
mod record;
mod source;
mod work;

pub use call::FunctionResult;
pub(crate) use call::call;
pub use error::FunctionError;
pub(crate) use function::Functions;
pub use function::HostFunction;
pub(crate) use gate::{Gate, unrepeatable};
pub(crate) use process::ProcessFunctions;
pub(crate) use record::{Answers, Recorder};
pub use record::{HostReplay, HostReplayError};
pub use source::{FunctionSource, SourceAnswer};
