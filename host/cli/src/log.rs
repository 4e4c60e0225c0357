//! What wisp logs on standard error: warnings, or what `WISP_LOG` asks for (error, warn, info, debug, trace, off).

use tracing_subscriber::filter::LevelFilter;

/// Start logging.
pub(crate) fn start() {
    let asked = std::env::var("WISP_LOG").unwrap_or_default();
    let level = match asked.as_str() {
        "" => LevelFilter::WARN,
        text => text.parse().unwrap_or_else(|_| {
            crate::say(&format!("WISP_LOG={text}: not a level; error, warn, info, debug, trace and off are"));
            LevelFilter::WARN
        }),
    };
    tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_target(false).init();
}
