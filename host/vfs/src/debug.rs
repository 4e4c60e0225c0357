//! `Debug` of the handles on a filesystem. They take no lock, so that they can be printed anywhere.

use std::fmt;

use super::{Fs, Node, OpenFile, Snapshot};

macro_rules! opaque {
    ($($name:ident)*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

opaque! { Fs Node OpenFile Snapshot }
