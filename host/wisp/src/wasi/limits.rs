//! The limits of one process, as it sees and sets them: its own below those of the policy.

use super::Facts;
use super::bindings::wisp::sandbox::files::ErrorCode;
use super::bindings::wisp::sandbox::process as wit;
use wisp_process::{Bound, LimitError, Limited, Process};

/// Returns the limit of `process`: its own, or the policy's if that is lower.
pub(super) fn bound(process: &Process, facts: &Facts, what: Limited) -> Bound {
    let policy = match what {
        Limited::ProcessorTime => facts.cpu_ms.div_ceil(1000),
        Limited::Memory => facts.memory,
        Limited::OpenFiles => u64::from(facts.open_files),
        Limited::Processes => u64::from(facts.processes),
    };
    // 0 is no limit of the policy.
    process.limit(what).within(if policy == 0 { u64::MAX } else { policy })
}

/// Returns the files that `process` may open: a limit of its own is never above the policy's.
pub fn open_files(process: &Process, facts: &Facts) -> u32 {
    u32::try_from(bound(process, facts, Limited::OpenFiles).soft).unwrap_or(u32::MAX)
}

/// Checks whether `process` may set this limit for itself or its children.
pub(super) fn check(process: &Process, facts: &Facts, what: Limited, wanted: Bound) -> Result<(), ErrorCode> {
    wanted.may_replace(bound(process, facts, what)).map_err(|error| match error {
        LimitError::Raised => ErrorCode::NotPermitted,
        LimitError::SoftAboveHard => ErrorCode::Invalid,
    })
}

impl From<wit::Limited> for Limited {
    fn from(what: wit::Limited) -> Self {
        match what {
            wit::Limited::ProcessorTime => Self::ProcessorTime,
            wit::Limited::Memory => Self::Memory,
            wit::Limited::OpenFiles => Self::OpenFiles,
            wit::Limited::Processes => Self::Processes,
        }
    }
}

impl From<wit::Bound> for Bound {
    fn from(bound: wit::Bound) -> Self {
        Self { soft: bound.soft.unwrap_or(u64::MAX), hard: bound.hard.unwrap_or(u64::MAX) }
    }
}

impl From<Bound> for wit::Bound {
    fn from(bound: Bound) -> Self {
        let value = |value| (value != u64::MAX).then_some(value);
        Self { soft: value(bound.soft), hard: value(bound.hard) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use wisp_process::ProcessTable;

    #[test]
    fn the_policy_is_the_highest_limit_of_every_process() {
        let row = Arc::new(ProcessTable::new()).enter(0, 1, "sh", 1).expect("an empty table has room");
        let process = row.process();
        let facts = Facts { cpu_ms: 1_500, memory: 1 << 20, open_files: 64, ..Facts::default() };
        let of = |what| bound(process, &facts, what);
        assert_eq!(of(Limited::ProcessorTime), Bound { soft: 2, hard: 2 });
        assert_eq!((of(Limited::OpenFiles), of(Limited::Processes)), (Bound { soft: 64, hard: 64 }, Bound::NONE));
        let set = |soft, hard| check(process, &facts, Limited::OpenFiles, Bound { soft, hard });
        assert_eq!((set(64, 64), set(10, 20)), (Ok(()), Ok(())));
        assert_eq!((set(64, 65), set(21, 20)), (Err(ErrorCode::NotPermitted), Err(ErrorCode::Invalid)));
        assert_eq!(set(u64::MAX, u64::MAX), Err(ErrorCode::NotPermitted));
        process.set_limit(Limited::OpenFiles, Bound { soft: 10, hard: 20 });
        assert_eq!(of(Limited::OpenFiles), Bound { soft: 10, hard: 20 });
        assert_eq!((set(20, 20), set(64, 64)), (Ok(()), Err(ErrorCode::NotPermitted)));
        let none = wit::Bound::from(Bound::NONE);
        assert_eq!((none.soft, none.hard), (None, None));
    }
}
