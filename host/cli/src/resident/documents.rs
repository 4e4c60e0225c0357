//! The documents that a client and a helper send each other.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wisp::{End, Outcome};

use super::wire::Kind;

/// Bytes of the last document in one frame.
const PART: usize = 1 << 20;

/// What a helper is, and what a client needs to know before it asks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Hello {
    /// The program file that it runs. Only the same one may ask for a command.
    pub(super) build: String,
    /// What of the environment and of the options a client must have in common with it.
    pub(super) surroundings: String,
    /// Its process.
    pub(super) process: u32,
    /// When it began, in seconds since 1970.
    pub(super) since: u64,
    /// The name of the session's policy.
    pub(super) policy: String,
    /// The digest of the session's policy.
    pub(super) digest: String,
    /// `limits.wall`.
    pub(super) wall: Duration,
    /// The directory of results in the sandbox.
    pub(super) output: String,
    /// The variables of the environment whose values the policy uses.
    pub(super) variables: Variables,
    /// What the policy trusts, by its description and its path.
    pub(super) protected: Vec<(String, OsString)>,
}

/// Variables of the environment, as the helper has them. Neither side tells a value: a helper that a guest has taken over could ask for
/// any.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Variables {
    key: [u8; 32],
    /// Their names, each with the digest of its value by this key.
    digests: Vec<(String, Option<String>)>,
}

impl Variables {
    /// Returns those with these names in this process. The key is random.
    pub(super) fn here(key: [u8; 32], names: impl Iterator<Item = String>) -> Self {
        let with_digest = |name: String| {
            let digest = digest(&key, &name);
            (name, digest)
        };
        Self { key, digests: names.map(with_digest).collect() }
    }

    /// Returns whether one of them has another value in this process.
    pub(super) fn differ_here(&self) -> bool {
        self.digests.iter().any(|(name, there)| digest(&self.key, name) != *there)
    }
}

/// Returns the digest of a variable's value, if it is set.
fn digest(key: &[u8; 32], name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| blake3::keyed_hash(key, value.as_bytes()).to_hex().to_string())
}

/// What a client asks of a helper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Ask {
    /// To run a command.
    Run(Call),
    /// To save the session and to end.
    Park,
    /// To end without saving.
    Discard,
}

/// How a command runs.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Call {
    /// How long the helper waits for the next call before it ends.
    pub(super) idle: Duration,
    pub(super) workdir: Option<String>,
    /// A time limit for this command only, below `limits.wall`.
    pub(super) timeout: Option<Duration>,
    /// Whether the client's standard input, output and error are terminals.
    pub(super) terminals: [bool; 3],
    /// Whether the outputs are kept for the outcome instead of being sent as they come.
    pub(super) capture: bool,
    /// Whether the outcome has the contents of its files.
    pub(super) contents: bool,
    pub(super) receipts: bool,
    pub(super) events: bool,
}

/// What a helper says to an [`Ask`].
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    /// The session is this client's until its command has ended or it leaves.
    Ready,
    /// Another command runs.
    Busy,
    /// The session is saved and free, and the helper ends.
    Parked {
        /// What of the interpreter was not saved.
        lost: Vec<String>,
    },
    /// The session could not be saved. It stays open.
    NotParked {
        /// Why.
        reason: String,
    },
    /// What was not saved is gone, and the helper ends.
    Discarded,
}

/// A tool that is compiled, or has been.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Compiling {
    pub(super) tool: String,
    pub(super) done: bool,
}

/// What came of a command.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Finished {
    /// It ran.
    Ended {
        outcome: Box<Outcome>,
        /// What the interpreter does not have for the next command.
        lost: Vec<String>,
        /// Whether the interpreter has ended.
        interpreter_ended: bool,
    },
    /// It did not start.
    NotStarted {
        code: u8,
        message: String,
        /// Whether there is no such program.
        not_found: bool,
    },
    /// wisp failed, or the session cannot continue.
    Failed { code: u8, message: String },
}

impl Finished {
    /// Returns whether the command was killed or hit a limit. Its remaining output is then not waited for: its readers may never take it.
    pub(super) fn is_forced(&self) -> bool {
        matches!(self, Self::Ended { outcome, .. } if matches!(outcome.end, End::Limit(_) | End::Signal { signal: 9 }))
    }
}

/// Returns words in one frame. No word of a command has a byte 0.
pub(super) fn joined(words: &[OsString]) -> Vec<u8> {
    words.iter().map(|word| word.as_bytes()).collect::<Vec<_>>().join(&0)
}

/// Returns the words of a frame.
pub(super) fn split(bytes: &[u8]) -> Vec<OsString> {
    bytes.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec())).collect()
}

/// Returns the last frames of a call.
pub(super) fn last(finished: &Finished) -> serde_json::Result<Vec<(Kind, Vec<u8>)>> {
    let document = serde_json::to_vec(finished)?;
    let parts = document.chunks(PART).map(|part| (Kind::Part, part.to_vec()));
    Ok(parts.chain([(Kind::End, Vec::new())]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_variables_are_compared_and_not_told() {
        let names = || ["PATH", "WISP_IS_NOT_SET"].map(str::to_owned).into_iter();
        let same = Variables::here([7; 32], names());
        assert!(!same.differ_here());
        let told = serde_json::to_string(&same).unwrap();
        assert!(told.contains("PATH") && !told.contains(&std::env::var("PATH").unwrap()), "{told}");
        for (place, other) in [(0, None), (0, Some("x".to_owned())), (1, Some("x".to_owned()))] {
            let mut other_value = same.clone();
            other_value.digests[place].1 = other;
            assert!(other_value.differ_here(), "{other_value:?}");
        }
    }

    #[test]
    fn words_are_bytes_and_may_be_empty() {
        for words in [vec![OsString::from("sh")], vec!["sh".into(), OsString::new(), OsString::from_vec(vec![b'x', 0xff])]] {
            assert_eq!(split(&joined(&words)), words);
        }
    }
}
