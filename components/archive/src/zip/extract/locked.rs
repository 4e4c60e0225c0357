//! Entries behind a password.

use super::Unzip;
use crate::zip::format::Entry;

/// Why an encrypted entry is skipped.
pub(super) const WRONG: &str = "incorrect password";
const ABSENT: &str = "unable to get password";

impl Unzip {
    /// Returns why an entry's password keeps it from being read, if it does.
    pub(super) fn locked(&self, entry: &Entry) -> Option<&'static str> {
        if !entry.encrypted() {
            return None;
        }
        if entry.method == 99 || entry.flags & 0x40 != 0 {
            return Some("need PK compat. v5.1 (can do v4.6)");
        }
        if !self.line.has('P') {
            return Some(ABSENT);
        }
        let wrong = self.open(entry).is_err_and(|error| error.kind() == std::io::ErrorKind::InvalidInput);
        wrong.then_some(WRONG)
    }

    /// Settles the status for entries that were skipped for their passwords, and says for `-t` how many they were.
    pub(super) fn skipped(&mut self, chosen: &[&Entry], archive: &str) {
        let count = |reason: &str| chosen.iter().filter(|entry| self.locked(entry) == Some(reason)).count();
        let (wrong, absent) = (count(WRONG), count(ABSENT));
        let other = chosen.iter().filter(|entry| self.locked(entry).is_some()).count() - wrong - absent;
        if wrong > 0 && self.status == 0 && self.line.has('t') && self.line.count('q') < 2 {
            let plural = |count: usize| if count == 1 { "" } else { "s" };
            match chosen.len() - wrong - absent - other {
                0 => println!("Caution:  zero files tested in {archive}."),
                tested => println!("No errors detected in {archive} for the {tested} file{} tested.", plural(tested)),
            }
            println!("{wrong} file{} skipped because of {WRONG}.", plural(wrong));
        }
        let all = wrong == chosen.len();
        let status = if other > 0 {
            81
        } else if absent > 0 || (wrong > 0 && all) {
            82
        } else {
            u8::from(wrong > 0)
        };
        self.status = self.status.max(status);
    }
}
