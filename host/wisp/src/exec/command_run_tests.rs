//! How limits are reported.

use super::*;
use crate::exec::commands::Commands;
use crate::outcome::receipts::Sinks;

/// A command in which nothing runs.
pub(crate) fn running(policy: &Policy, timeout: Option<Duration>) -> Arc<CommandRun> {
    let processes = Arc::new(ProcessTable::new());
    let commands = Commands::new(processes.clone());
    let receipts = Arc::new(Receipts::new("s".to_owned(), Sinks::default(), Arc::new(|| 0), commands));
    CommandRun::new(1, Arc::new(policy.clone()), processes, receipts, Ticker::default(), timeout, Tasks::new(None))
}

#[test]
fn a_time_limit_is_reported_in_a_form_that_a_policy_accepts() {
    for (written, reported) in [("1500ms", "1500ms"), ("250ms", "250ms"), ("2s", "2s"), ("90s", "90s"), ("2m", "120s")] {
        let policy = Policy::offline().with_value("limits.wall", written).unwrap().with_value("limits.cpu", written).unwrap();
        let running = running(&policy, None);
        for limit in [Limit::Wall, Limit::Cpu] {
            let value = running.value(limit);
            assert_eq!(value, reported);
            let again = Policy::offline().with_value("limits.wall", &value).unwrap();
            assert_eq!(again.limits().wall, policy.limits().wall);
        }
    }
}

#[test]
fn a_timeout_of_the_host_program_is_reported_as_exactly_as_it_was_set() {
    let running = running(&Policy::offline(), Some(Duration::from_micros(1_500)));
    assert_eq!(running.value(Limit::Wall), "1.5ms");
}
