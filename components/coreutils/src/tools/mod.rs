//! Our own small tools: what uutils builds on Unix only, and what it gets wrong without mode bits.

pub mod backup;
pub mod cat;
pub mod chmod;
pub mod copy;
pub mod cp;
pub mod dd;
pub mod df;
pub mod du;
pub mod env;
pub mod expand;
pub mod head;
pub mod identity;
pub mod install;
pub mod kill;
pub mod launch;
pub mod machine;
pub mod man;
pub mod mkdir;
pub mod mktemp;
pub mod mv;
pub mod nl;
pub mod ps;
pub mod same;
#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
pub mod split_filter;
pub mod stat;
pub mod tac;
pub mod tail;
pub mod tee;
pub mod test;
pub mod timeout;
pub mod truth;
pub mod watch;
pub mod which;
