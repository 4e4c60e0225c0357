//! Calls scheduled for a time, in the order of their times.

use std::collections::BTreeMap;
use std::time::Instant;

/// The function to call.
pub(super) type Call = Box<dyn FnOnce() + Send>;

/// Identifies a call: its time, and a unique number.
pub(super) type Key = (Instant, u64);

/// Calls that wait for their time.
#[derive(Default)]
pub(super) struct Alarms {
    calls: BTreeMap<Key, Call>,
    numbers: u64,
}

impl Alarms {
    /// Adds a call that is due at `at`.
    pub(super) fn add(&mut self, at: Instant, call: Call) -> Key {
        self.numbers += 1;
        let key = (at, self.numbers);
        self.calls.insert(key, call);
        key
    }

    /// Removes a call; `None` if it was already due.
    pub(super) fn remove(&mut self, key: &Key) -> Option<Call> {
        self.calls.remove(key)
    }

    /// Returns the time of the next call.
    pub(super) fn first(&self) -> Option<Instant> {
        self.calls.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes the calls that are due at `now`, the earliest first.
    pub(super) fn due(&mut self, now: Instant) -> Vec<Call> {
        let mut due = Vec::new();
        while let Some(entry) = self.calls.first_entry().filter(|entry| entry.key().0 <= now) {
            due.push(entry.remove());
        }
        due
    }

    /// Returns whether no call waits.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use parking_lot::Mutex;

    use super::*;

    #[test]
    fn calls_come_in_the_order_in_which_they_are_due_and_not_before() {
        let (start, log) = (Instant::now(), Arc::new(Mutex::new(Vec::new())));
        let at = |ms| start + Duration::from_millis(ms);
        let mut alarms = Alarms::default();
        let add = |alarms: &mut Alarms, ms: u64, name: &'static str| {
            let log = log.clone();
            alarms.add(at(ms), Box::new(move || log.lock().push(name)))
        };
        add(&mut alarms, 20, "third");
        add(&mut alarms, 10, "first");
        add(&mut alarms, 10, "second");
        let removed = add(&mut alarms, 5, "never");
        assert_eq!(alarms.first(), Some(at(5)));
        assert!(alarms.remove(&removed).is_some() && alarms.remove(&removed).is_none());
        assert_eq!(alarms.first(), Some(at(10)));
        assert!(alarms.due(at(9)).is_empty());
        alarms.due(at(10)).into_iter().for_each(|call| call());
        assert_eq!(*log.lock(), ["first", "second"]);
        alarms.due(at(1_000)).into_iter().for_each(|call| call());
        assert_eq!(*log.lock(), ["first", "second", "third"]);
        assert!(alarms.is_empty() && alarms.first().is_none());
    }
}
