//! `[network]`: the requests that are allowed, their limits, and the secrets that are added to them.

mod grant;
mod layer;
mod read;
mod secret;
mod settle;

pub use grant::{AllowRule, Network};
pub(crate) use layer::NetworkLayer;
pub(crate) use read::{METHODS, read, read_option, read_url};
pub use secret::{SecretPlace, SecretRule};
pub(crate) use settle::settle;
