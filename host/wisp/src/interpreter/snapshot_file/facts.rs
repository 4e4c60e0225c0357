//! What a snapshot file says about itself, and whether that fits a session.

use std::io::Read;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::SnapshotFileError;
use super::memory::{Memory, digest};
use crate::exec::session_state::SessionState;
use crate::interpreter::snapshot::Frozen;
use crate::interpreter::start::ClockAndRandom;
use crate::program::linked::Program;
use crate::program::tool::Tool;
use crate::runtime::memory::{MemoryShape, SlotPool, WASM_PAGE};
use crate::wasi::{Label, Labels, ProcessRandom, StreamPosition};
use wisp_policy::digest::sha256;

/// Maximum bytes of the facts: room for the labels of a thousand artifacts and more.
const MAX_FACTS: u64 = 8 << 20;

/// Maximum characters of text from a file in a message: of a name, and of a JSON parser's error. Attack: a forged file
/// that fills a log, or sends control characters to a terminal.
const MAX_NAME: usize = 80;
const MAX_SAID: usize = 300;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facts {
    /// The version of wisp that wrote it.
    wisp: String,
    /// The interpreter.
    pub tool: String,
    /// The digest of its component, as composed for its world.
    component: String,
    /// The digest of all worlds of its session.
    world: String,
    /// The digest of the files that its session began with.
    layout: String,
    determinism: Option<Determinism>,
    pub memory: Memory,
    /// What a copy does not have.
    pub lost: Vec<String>,
    labels: Labelled,
}

/// Labels of artifacts, as a file has them: path, title, media type.
pub(crate) type Labelled = Vec<(String, Option<String>, Option<String>)>;

/// `[determinism]`, and how far clock and randomness had come.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Determinism {
    seed: u64,
    clock: u64,
    elapsed: u64,
    stream: u64,
    /// The high and the low 64 bits.
    word: (u64, u64),
}

/// Reads what a file of this version says about itself.
pub(crate) fn read<T: DeserializeOwned>(from: &mut dyn Read) -> Result<T, SnapshotFileError> {
    let mut text = Vec::new();
    from.take(MAX_FACTS + 1).read_to_end(&mut text).map_err(SnapshotFileError::of_part)?;
    if text.len() as u64 > MAX_FACTS {
        return Err(SnapshotFileError::malformed(format!("it says more than {MAX_FACTS} bytes about itself")));
    }
    // The facts of another version may differ, except for its version.
    #[derive(Deserialize)]
    struct Version {
        wisp: String,
    }
    // The error quotes the file, so its length is bounded.
    let malformed = |error: serde_json::Error| {
        let said = plain(&error.to_string(), MAX_SAID);
        SnapshotFileError::malformed(format!("what it says about itself cannot be read ({said})"))
    };
    let version: Version = serde_json::from_slice(&text).map_err(malformed)?;
    if version.wisp != env!("CARGO_PKG_VERSION") {
        return Err(SnapshotFileError::OtherVersion {
            found: plain(&version.wisp, MAX_NAME),
            expected: env!("CARGO_PKG_VERSION").to_owned(),
        });
    }
    serde_json::from_slice(&text).map_err(malformed)
}

/// Converts labels for a file.
pub(crate) fn labelled(labels: &Labels) -> Labelled {
    labels.all().into_iter().map(|(path, label)| (path, label.title, label.mime_type)).collect()
}

/// Sets the labels of a file, each as if its guest set it now.
pub(crate) fn labels(from: &Labelled, session: &SessionState) -> Result<Labels, SnapshotFileError> {
    let output = session.shared.policy.output();
    let labels = Labels::new(&output.path, usize::try_from(output.max_files).unwrap_or(usize::MAX), session.memory.clone());
    for (path, title, mime_type) in from {
        if !labels.put_back(path, Label { title: title.clone(), mime_type: mime_type.clone() }) {
            return Err(SnapshotFileError::malformed("a label that no artifact of this session can have"));
        }
    }
    Ok(labels)
}

impl Facts {
    pub(crate) fn of(frozen: &Frozen) -> Result<Self, SnapshotFileError> {
        let session = &frozen.session.state;
        let image = frozen.memory.image();
        let tool = session.shared.tools.get(&frozen.name).ok_or_else(|| SnapshotFileError::NoTool { tool: frozen.name.clone() })?;
        let position = frozen.clock_and_random.random.position();
        let fixed = session.shared.policy.determinism().zip(position).zip(frozen.clock_and_random.elapsed);
        Ok(Self {
            wisp: env!("CARGO_PKG_VERSION").to_owned(),
            tool: frozen.name.clone(),
            component: tool.world.composition_digest(),
            world: session.shared.world.clone(),
            layout: layout(session),
            determinism: fixed.map(|((fixed, position), elapsed)| Determinism {
                seed: fixed.seed,
                clock: fixed.clock,
                elapsed,
                stream: position.stream,
                word: ((position.word >> 64) as u64, position.word as u64),
            }),
            memory: Memory {
                shape: frozen.shape,
                base: digest(program_image(&frozen.program)?.1.image()),
                size: image.size() as u64,
                changed: image.changed().iter().map(|range| (range.start as u64, range.end as u64)).collect(),
            },
            lost: frozen.not_carried.clone(),
            labels: labelled(&frozen.labels),
        })
    }

    /// Checks that the session can resume from it. Returns its interpreter.
    pub(crate) fn check_session<'s>(&self, session: &'s SessionState) -> Result<&'s Arc<Tool>, SnapshotFileError> {
        let tool = session.shared.tools.get(&self.tool).ok_or_else(|| SnapshotFileError::NoTool { tool: plain(&self.tool, MAX_NAME) })?;
        let component = tool.world.composition_digest();
        if self.component != component {
            let (found, expected) = (short(&self.component), short(&component));
            return Err(SnapshotFileError::OtherBuild { tool: self.tool.clone(), found, expected });
        }
        let other =
            |what, found: &str, expected: &str| SnapshotFileError::OtherWorld { what, found: short(found), expected: short(expected) };
        if self.world != session.shared.world {
            return Err(other("tools or grants", &self.world, &session.shared.world));
        }
        if self.layout != layout(session) {
            return Err(other("files at the start", &self.layout, &layout(session)));
        }
        let (found, expected) = (self.determinism.as_ref().map(|fixed| (fixed.seed, fixed.clock)), session.shared.policy.determinism());
        if found != expected.map(|fixed| (fixed.seed, fixed.clock)) {
            let words = |fixed: Option<(u64, u64)>| fixed.map_or("none".to_owned(), |(seed, clock)| format!("seed {seed}, clock {clock}"));
            let (found, expected) = (words(found), words(expected.map(|fixed| (fixed.seed, fixed.clock))));
            return Err(SnapshotFileError::OtherWorld { what: "determinism", found, expected });
        }
        Ok(tool)
    }

    /// Checks that its memory matches this program's own image and is within the limits. Returns that image and its
    /// shape.
    pub(crate) fn check_memory<'p>(
        &self,
        session: &SessionState,
        program: &'p Program,
    ) -> Result<&'p (MemoryShape, Arc<SlotPool>), SnapshotFileError> {
        let Memory { shape, base, size, .. } = &self.memory;
        let limit = session.shared.policy.limits().memory;
        if *size > limit {
            return Err(SnapshotFileError::TooLarge { needed: *size, limit });
        }
        let own = program_image(program)?;
        let expected = digest(own.1.image());
        if own.0 != *shape || expected != *base {
            let (found, expected) = (short(base), short(&expected));
            return Err(SnapshotFileError::OtherBuild { tool: self.tool.clone(), found, expected });
        }
        let most = shape.maximum.unwrap_or(1 << 16).min(1 << 16) * WASM_PAGE;
        if size % WASM_PAGE != 0 || *size < own.1.image().size() as u64 || *size > most {
            return Err(SnapshotFileError::malformed(format!("its memory cannot have {size} bytes")));
        }
        self.memory.ranges()?;
        Ok(own)
    }

    /// Sets its labels, each as if its guest set it now.
    pub(crate) fn labels(&self, session: &SessionState) -> Result<Labels, SnapshotFileError> {
        labels(&self.labels, session)
    }

    /// Returns the clock and the randomness that continue from the snapshot, or those of the session.
    pub(crate) fn clock_and_random(&self, session: &SessionState) -> ClockAndRandom {
        match &self.determinism {
            Some(fixed) => ClockAndRandom {
                elapsed: Some(fixed.elapsed),
                random: ProcessRandom::seeded_at(
                    fixed.seed,
                    StreamPosition { stream: fixed.stream, word: u128::from(fixed.word.0) << 64 | u128::from(fixed.word.1) },
                ),
            },
            None => ClockAndRandom { elapsed: None, random: session.random(0) },
        }
    }
}

fn program_image(program: &Program) -> Result<&(MemoryShape, Arc<SlotPool>), SnapshotFileError> {
    program.source().image().ok_or_else(|| SnapshotFileError::NoSnapshots { reason: "its component has no image of memory".to_owned() })
}

/// Digests everything that decides which files a session starts with.
pub(crate) fn layout(session: &SessionState) -> String {
    let tools = session.shared.tools.iter().map(|(name, tool)| format!("{name} {}\n", tool.bytes().layout_digest()));
    let lines: String = std::iter::once(format!("{}\n", session.shared.policy.output().path)).chain(tools).collect();
    sha256(lines)
}

/// Returns the beginning of a digest, enough to tell it from another. The text may be anything.
pub(crate) fn short(digest: &str) -> String {
    plain(digest, MAX_NAME).chars().take(16).collect()
}

/// Returns text from a file, for a message: its beginning, without control characters.
fn plain(text: &str, most: usize) -> String {
    text.chars().take(most).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
