//! The cache of machine code on the command line: without one, wisp goes on and says so.

use wisp::{CodeCache, Engine};

use crate::say;

/// Opens the cache of this user. Says why it cannot be used, if it cannot, unless the log has no warnings.
pub(crate) fn open() -> CodeCache {
    let cache = Engine::default_cache();
    if let Some(error) = cache.refused()
        && tracing::enabled!(tracing::Level::WARN)
    {
        say(&format!("{error}; without it, what is compiled is not kept"));
    }
    cache
}
