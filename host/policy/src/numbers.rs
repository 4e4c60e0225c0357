//! The values of the keys with numbers, as fields of the tables that have them.

use std::time::Duration;

use super::host::HostGrant;
use super::network::Network;
use super::parts::{Determinism, Filesystem, Limits, Output};
use super::schema::{Key, set_numbers};

/// Every table that has keys with numbers; only these are set.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) filesystem: Filesystem,
    pub(super) network: Network,
    pub(super) host: HostGrant,
    pub(super) output: Output,
    pub(super) limits: Limits,
    pub(super) determinism: Determinism,
}

impl Numbers {
    /// Returns the numbers of all tables, as `number` gives them in the unit of the key's shape.
    pub(super) fn of(number: impl Fn(Key) -> u64) -> Self {
        let mut numbers = Self::default();
        set_numbers!(numbers, number);
        numbers
    }
}

/// A field that has the value of a key.
pub(super) trait Field {
    /// Returns the field for a number in the unit of its key's shape.
    fn of(number: u64) -> Self;
}

impl Field for u64 {
    fn of(number: u64) -> Self {
        number
    }
}

impl Field for u32 {
    fn of(number: u64) -> Self {
        // The bounds of such a key are below 2^32: the test below.
        Self::try_from(number).unwrap_or(Self::MAX)
    }
}

impl Field for Duration {
    fn of(number: u64) -> Self {
        Self::from_nanos(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Shape;

    /// The numbers of a policy in which one key has its highest value, or the one below that, and all others have their defaults.
    fn with_highest(key: Key) -> (Numbers, Numbers) {
        let highest = match key.row().shape {
            Shape::Count(bounds) | Shape::Size(bounds) | Shape::Duration(bounds) => *bounds.end(),
            _ => u64::MAX,
        };
        let with = |number: u64| Numbers::of(|other| if other == key { number } else { other.default_number() });
        (with(highest), with(highest - 1))
    }

    #[test]
    fn every_number_has_a_field_of_its_own_that_holds_all_its_values() {
        let keys = || Key::ALL.iter().copied().filter(|key| key.row().shape.is_number());
        let mut seen = vec![Numbers::of(Key::default_number)];
        for key in keys() {
            let (highest, below) = with_highest(key);
            assert_ne!(highest, below, "{}", key.path());
            assert!(!seen.contains(&highest), "{} is another key's field", key.path());
            seen.push(highest);
        }
    }
}
