//! From a tool that a policy names to machine code: components, their worlds, linked programs and prewarmed instances.

mod adapters;
pub(crate) mod check;
pub(crate) mod error;
pub(crate) mod explain;
pub(crate) mod for_model;
pub(crate) mod instances;
pub(crate) mod linked;
pub(crate) mod memory;
mod own;
pub(crate) mod rootfs;
pub(crate) mod store;
mod templates;
pub(crate) mod tenancy;
pub(crate) mod tool;
pub(crate) mod tool_bytes;
pub(crate) mod tool_file;
pub(crate) mod tools;
pub(crate) mod unclaimed;
pub(crate) mod workshop;

pub use check::{check_mounts, check_tools, executed};
pub use error::SessionError;
pub use explain::{check_imports, explain};
pub use for_model::for_model;
pub use own::code_file;
pub use tool_file::ToolFiles;
pub use workshop::CompileEvent;
