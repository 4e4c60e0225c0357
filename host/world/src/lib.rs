//! From policy to world: decides about each import of a component, and composes the component accordingly.
//!
//! [`resolve`] decides, [`compose`] puts the deny provider in the place of denied imports and components of the user in front of those
//! that a policy has them for, and [`ComponentWorld::host_interfaces`] lists what the linker has to add. Nothing else is linked.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests lay out folders of their own"))]

mod adapter;
mod component_world;
mod compose;
mod deny;
mod error;
mod grants;
mod import;
mod imports;
mod join;
mod known;
pub mod report;
mod row;
mod summary;

pub use adapter::{Adapter, AdapterWorld, Provided, unversioned};
pub use component_world::{ComponentWorld, resolve};
pub use compose::{Composed, compose};
pub use deny::is_denial;
pub use error::{DenyError, NotAComponent, WorldError};
pub use grants::Grants;
pub use imports::Imports;
pub use known::denied_function;
pub use row::{ImportRow, NO_THREADS};
pub use summary::{LimitRow, SummaryLine};

#[cfg(test)]
mod tests;
