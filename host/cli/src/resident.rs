//! `wisp run --resident`: a session that stays open between calls, in a process of its own.
//!
//! The first call starts a helper, which keeps the session open (`server`, `live`); later calls are clients of it (`client`). There is
//! a helper for each session, not one for all: a helper is confined to what one session may reach, like the command itself, so a
//! guest that broke out of it would have no other session. Who wants the session otherwise has the helper save it and end
//! ([`release`]). A helper that is killed leaves a note (`note`).
//!
//! The bytes of a command go over the socket, and the helper never has the client's descriptors: a read of a terminal that it had begun
//! would outlive the call, and guests of later calls would run in a process that can write to it.

mod call;
mod client;
mod control;
mod documents;
mod helper;
mod live;
mod note;
mod place;
mod server;
mod start;
mod streams;
mod timer;
mod told;
mod wire;

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use wisp_service::{Store, StoreError};

use crate::{Failure, args, kept, run, terminal};
use client::Next;
use documents::{Answer, Ask};
use helper::{build, surroundings};
use place::{Found, Place};
use start::{Order, Started};
use wire::Kind;

pub(crate) use helper::helper;
pub(crate) use note::tell;

/// The variable that stands for `--resident`.
const VARIABLE: &str = "WISP_RESIDENT";

/// How long a helper waits for the next call, unless the user says otherwise; and the bounds of what the user can say.
const IDLE: Duration = Duration::from_secs(10 * 60);
const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// How long what was interrupted, and who reads an output of what was ended, is waited for.
const GRACE: Duration = Duration::from_secs(2);

/// How often a helper may end at the moment when it is asked.
const ATTEMPTS: usize = 5;

/// A helper that runs.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Running {
    /// The name of its session.
    #[serde(skip)]
    pub(crate) session: String,
    /// Its process.
    pub(crate) process: u32,
    /// When it began, in seconds since 1970.
    pub(crate) since: u64,
}

impl Running {
    /// Returns how long it has run, in words.
    pub(crate) fn age(&self) -> String {
        rough(Duration::from_secs(now().saturating_sub(self.since)))
    }
}

/// Returns how long a helper is to wait for the next call if this run asks for one: `--resident`, or the variable for runs of a session.
pub(crate) fn asked(asked: &args::Run) -> Result<Option<Duration>, Failure> {
    if let Some(text) = &asked.resident {
        return idle("--resident", text).map(Some);
    }
    match std::env::var_os(VARIABLE).unwrap_or_default().to_string_lossy().as_ref() {
        "" | "0" => Ok(None),
        // A run without a session has nothing to keep open.
        _ if asked.session.is_none() => Ok(None),
        "1" => Ok(Some(IDLE)),
        text => idle(VARIABLE, text).map(Some),
    }
}

fn idle(name: &str, text: &str) -> Result<Duration, Failure> {
    let wrong =
        || Failure::usage(anyhow!("{name}={}: write how long to wait for the next call, 1s to 7d, such as 10m", text.escape_debug()));
    let number = text.find(|char: char| !char.is_ascii_digit()).and_then(|at| text.split_at_checked(at));
    let (number, unit) = number.ok_or_else(wrong)?;
    let seconds: u64 = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 24 * 3600,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let idle = Duration::from_secs(number.saturating_mul(seconds));
    if (SHORTEST..=LONGEST).contains(&idle) { Ok(idle) } else { Err(wrong()) }
}

/// Runs the command in the session that a helper keeps open; one is started if none does. The exit code is the guest's.
pub(crate) fn run(asked: &args::Run, idle: Duration) -> Result<u8, Failure> {
    refuse(asked)?;
    let place = Place::of(asked.session.as_deref().unwrap_or_default())?;
    let timeout = client::timeout(asked)?;
    let order = Order { session: place.name().to_owned(), grants: asked.grants.clone(), no_confine: asked.no_confine, idle };
    let surroundings = surroundings(asked.no_confine);
    for _ in 0..ATTEMPTS {
        let Some(found) = place.find()? else {
            match start::start(&place, &order)? {
                Started::Ready => continue,
                Started::Failed(code) => return Ok(code),
            }
        };
        // Another build cannot serve, nor one that keeps its machine code elsewhere or is confined otherwise.
        if found.hello.build != build() || found.hello.surroundings != surroundings {
            park(&place, found)?;
            continue;
        }
        match client::call(asked, &place, found, idle, timeout)? {
            Next::Done(code) => return Ok(code),
            Next::Again => {}
        }
    }
    Err(Failure::internal(anyhow!("the helper of the session `{}` ends again and again", place.name())))
}

/// Refuses what a helper does not do, with what to do.
fn refuse(asked: &args::Run) -> Result<(), Failure> {
    let person = asked.interactive || asked.tty || (!asked.json && !asked.no_tty && terminal::attended());
    let without = format!("leave out --resident (with {VARIABLE}=0, where that variable is set)");
    let refused = if asked.session.is_none() {
        "--resident keeps a session open: name it with --session NAME".to_owned()
    } else if person {
        format!("a session that --resident keeps open has no terminal: redirect standard input (`< /dev/null`), add --no-tty, or {without}")
    } else if asked.record_functions.is_some() || asked.replay_functions.is_some() {
        format!("the answers of functions are recorded and replayed for one run, not for a session that --resident keeps open: {without}")
    } else {
        return Ok(());
    };
    Err(Failure::usage(anyhow!(refused)))
}

/// Has the helper of this session save it and end, if there is one. Says what was not saved.
pub(crate) fn release(name: &str) -> Result<(), Failure> {
    let place = Place::of(name)?;
    place.find()?.map_or(Ok(()), |found| park(&place, found))
}

fn park(place: &Place, mut found: Found) -> Result<(), Failure> {
    let name = place.name();
    match ask(&mut found, &Ask::Park) {
        Some(Answer::Parked { lost }) => {
            run::say_not_kept(&lost);
            Ok(())
        }
        Some(Answer::NotParked { reason }) => {
            let help = format!("`wisp session rm {name}` discards the session");
            Err(Failure::internal(anyhow!("the helper of the session `{name}` goes on, since it cannot save it: {reason}; {help}")))
        }
        Some(_) => Err(kept::refused(StoreError::InUse { name: name.to_owned() })),
        // It has ended at this moment, and saved.
        None => Ok(()),
    }
}

/// Has the helper of this session end without saving, if there is one and no command runs. Returns whether it did.
pub(crate) fn discard(name: &str) -> Result<bool, Failure> {
    let found = Place::of(name)?.find()?;
    Ok(found.is_some_and(|mut found| matches!(ask(&mut found, &Ask::Discard), Some(Answer::Discarded))))
}

/// Returns what a helper answers; `None` if it ended.
fn ask(found: &mut Found, asked: &Ask) -> Option<Answer> {
    wire::send_document(&mut found.stream, Kind::Ask, asked).ok()?;
    match wire::receive(&mut found.stream) {
        Ok((Kind::Answer, bytes)) => wire::read_document(&bytes).ok(),
        _ => None,
    }
}

/// Returns the helpers of the sessions of this store, sorted by name. One that does not answer is left out.
pub(crate) fn running(store: &Store) -> Vec<Running> {
    let names = fs::read_dir(store.folder()).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let running = |session: String| {
        let hello = Place::within(store, &session).ok()?.find().ok()??.hello;
        Some(Running { session, process: hello.process, since: hello.since })
    };
    let mut found: Vec<Running> = names.filter_map(running).collect();
    found.sort_by(|one, other| one.session.cmp(&other.session));
    found
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Returns a time in words, with one unit.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3_600 => format!("{} min", seconds / 60),
        seconds @ 3_600..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_without_a_call_has_a_unit_and_bounds() {
        for (text, seconds) in [("1s", 1), ("90s", 90), ("10m", 600), ("2h", 7_200), ("7d", 604_800)] {
            assert_eq!(idle("--resident", text).ok(), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "10", "m", "0s", "-1s", "8d", "1w", "1 m", "99999999999999999999s", "18446744073709551615d", "10mm", "ü"] {
            let refused = idle("--resident", text).expect_err("it is refused");
            assert_eq!(refused.code, 2, "{text}");
            assert!(refused.error.to_string().contains("such as 10m"), "{text}");
        }
    }

    #[test]
    fn times_have_one_unit() {
        let said = [0, 59, 60, 3_599, 3_600, 172_799, 172_800].map(|seconds| rough(Duration::from_secs(seconds)));
        assert_eq!(said, ["0 s", "59 s", "1 min", "59 min", "1 h", "47 h", "2 days"]);
    }
}
