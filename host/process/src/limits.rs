//! The limits of one process: what `ulimit` and setrlimit(2) set, below those of the session.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a process can limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// Its processor time, in seconds (RLIMIT_CPU). At the soft limit the process receives CPU, at the hard limit
    /// KILL.
    ProcessorTime,
    /// Its memory, in bytes (RLIMIT_AS).
    Memory,
    /// Its open files (RLIMIT_NOFILE).
    OpenFiles,
    /// The running processes of the session: with that many, it cannot start another (RLIMIT_NPROC).
    Processes,
}

impl Limited {
    /// Everything that can be limited, in the order of [`Limits`].
    pub const ALL: [Self; 4] = [Self::ProcessorTime, Self::Memory, Self::OpenFiles, Self::Processes];
}

/// A limit of a process: the soft one is enforced, and can be raised to the hard one. `u64::MAX` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The limit that is enforced.
    pub soft: u64,
    /// The maximum of the soft limit. It can only be lowered.
    pub hard: u64,
}

/// Why a limit cannot be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The soft limit is above the hard limit (EINVAL).
    #[error("the soft limit is above the hard limit")]
    SoftAboveHard,
    /// The hard limit would rise (EPERM).
    #[error("a hard limit cannot be raised")]
    Raised,
}

impl Bound {
    /// No limit.
    pub const NONE: Self = Self { soft: u64::MAX, hard: u64::MAX };

    /// Returns this limit, and `most` if that is lower.
    pub fn within(self, most: u64) -> Self {
        Self { soft: self.soft.min(most), hard: self.hard.min(most) }
    }

    /// Checks whether this may replace the limit `now`.
    ///
    /// # Errors
    /// See [`LimitError`].
    pub fn may_replace(self, now: Self) -> Result<(), LimitError> {
        if self.soft > self.hard {
            Err(LimitError::SoftAboveHard)
        } else if self.hard > now.hard {
            Err(LimitError::Raised)
        } else {
            Ok(())
        }
    }
}

/// The limits of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits([Bound; Limited::ALL.len()]);

impl Default for Limits {
    fn default() -> Self {
        Self([Bound::NONE; Limited::ALL.len()])
    }
}

impl Limits {
    /// Returns one of them.
    pub fn of(&self, what: Limited) -> Bound {
        self.0[what as usize]
    }

    /// Replaces one of them.
    pub fn set(&mut self, what: Limited, bound: Bound) {
        self.0[what as usize] = bound;
    }
}

/// The memory that a process holds, and the most that it may grow to.
#[derive(Debug)]
pub struct MemoryGauge {
    held: AtomicU64,
    most: AtomicU64,
}

impl Default for MemoryGauge {
    fn default() -> Self {
        Self { held: AtomicU64::new(0), most: AtomicU64::new(u64::MAX) }
    }
}

impl MemoryGauge {
    /// Returns the number of bytes that it holds.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// Records that it holds `bytes` more.
    pub fn add(&self, bytes: u64) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Records that it has returned `bytes`.
    pub fn remove(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Returns whether it may hold `bytes` more.
    pub fn allows(&self, bytes: u64) -> bool {
        self.held().saturating_add(bytes) <= self.most.load(Ordering::Relaxed)
    }

    /// Sets the most that it may grow to. What it holds already stays.
    pub(super) fn limit(&self, most: u64) {
        self.most.store(most, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_limit_falls_and_the_soft_one_moves_below_it() {
        let now = Bound { soft: 10, hard: 20 };
        assert_eq!(Bound { soft: 20, hard: 20 }.may_replace(now), Ok(()));
        assert_eq!(Bound { soft: 5, hard: 5 }.may_replace(now), Ok(()));
        assert_eq!(Bound { soft: 10, hard: 21 }.may_replace(now), Err(LimitError::Raised));
        assert_eq!(Bound { soft: 10, hard: 9 }.may_replace(now), Err(LimitError::SoftAboveHard));
        assert_eq!(Bound::NONE.may_replace(Bound::NONE), Ok(()));
        assert_eq!(Bound::NONE.within(7), Bound { soft: 7, hard: 7 });
        assert_eq!(now.within(15), Bound { soft: 10, hard: 15 });
    }

    #[test]
    fn memory_grows_to_its_limit() {
        let gauge = MemoryGauge::default();
        gauge.add(100);
        assert!(gauge.allows(u64::MAX - 100));
        gauge.limit(150);
        assert!(gauge.allows(50) && !gauge.allows(51));
        gauge.remove(60);
        assert!(gauge.held() == 40 && gauge.allows(110));
        gauge.limit(10);
        assert!(!gauge.allows(1), "what it holds already stays, and nothing is added");
    }
}
