//! `Debug` of the network and its messages: nothing that can hold a secret or a guest's data.

use std::fmt;

use super::{BodySender, Net, NetParts, Pending, Request, RequestBody, Response, ResponseBody, Roots, Secrets};

macro_rules! opaque {
    ($($name:ident)*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

opaque! { BodySender Net NetParts Pending Request RequestBody ResponseBody Roots }

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The variables that have secrets, without values and placeholders.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.placeholders().map(|(variable, _)| variable)).finish()
    }
}
