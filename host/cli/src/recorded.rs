//! `wisp run --record-functions` and `--replay-functions`: what functions answered, kept for a run that repeats.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::Context;
use wisp::{HostReplay, SessionBuilder};

use crate::args;

/// Where the answers of a run's functions come from, and where they go.
pub(crate) enum Recorded {
    /// From the functions, and nowhere.
    No,
    /// From the functions, to this file.
    To(File),
    /// From a file.
    From(HostReplay),
}

impl Recorded {
    /// Opens the file that the options name: before wisp is confined.
    pub(crate) fn open(asked: &args::Run) -> anyhow::Result<Self> {
        let named = |option: &str, path: &Path| format!("{option} {}", path.display());
        if let Some(path) = &asked.record_functions {
            return Ok(Self::To(File::create(path).with_context(|| named("--record-functions", path))?));
        }
        let Some(path) = &asked.replay_functions else { return Ok(Self::No) };
        let file = File::open(path).with_context(|| named("--replay-functions", path))?;
        Ok(Self::From(HostReplay::read(BufReader::new(file)).with_context(|| named("--replay-functions", path))?))
    }

    /// Returns the builder of a session with them.
    pub(crate) fn of(self, builder: SessionBuilder) -> SessionBuilder {
        match self {
            Self::No => builder,
            Self::To(file) => builder.record_functions(file),
            Self::From(answers) => builder.replay_functions(answers),
        }
    }
}
