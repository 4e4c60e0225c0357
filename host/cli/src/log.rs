//! wisp's log on standard error: warnings, or the level that `WISP_LOG` sets (error, warn, info, debug, trace, off).

use tracing_subscriber::filter::LevelFilter;

/// Starts logging. If `quiet`, only errors are logged, unless the variable says otherwise.
pub(crate) fn start(quiet: bool) {
    let asked = std::env::var("WISP_LOG").unwrap_or_default();
    let level = match asked.as_str() {
        "" if quiet => LevelFilter::ERROR,
        "" => LevelFilter::WARN,
        text => text.parse().unwrap_or_else(|_| {
            crate::say(&format!("WISP_LOG={text}: not a level; the levels are error, warn, info, debug, trace and off"));
            LevelFilter::WARN
        }),
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(crate::messages::log)
        .with_target(false)
        .with_ansi(crate::render::colours(crate::outputs::Standard::Error))
        .init();
}
