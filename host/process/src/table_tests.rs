use super::*;
use crate::{Activity, Bound};

fn table() -> Arc<ProcessTable> {
    Arc::new(ProcessTable::new())
}

#[tokio::test]
async fn a_process_is_entered_waited_for_and_gone() {
    let table = table();
    let parent = table.enter(0, 1, "sh", 2).unwrap();
    let child = table.enter(parent.process().pid(), 1, "cat", 2).unwrap();
    assert!(table.enter(parent.process().pid(), 1, "third", 2).is_none(), "the limit is two");
    let process = child.process().clone();
    process.add_cpu(5);
    child.leave(ExitStatus::Exited(3));
    assert_eq!(process.wait().await, ExitStatus::Exited(3));
    assert_eq!(parent.process().times(), (0, 5));
    assert!(table.get(process.pid()).is_none());
    assert!(table.enter(parent.process().pid(), 1, "third", 2).is_some(), "a place is free again");
}

#[tokio::test]
async fn a_place_is_given_up_when_its_holder_breaks() {
    let table = table();
    let row = table.enter(0, 1, "sh", 1).unwrap();
    let process = row.process().clone();
    let holder = tokio::spawn(async move {
        let _row = row;
        std::future::pending::<()>().await;
    });
    tokio::task::yield_now().await;
    holder.abort();
    assert_eq!(process.wait().await, ExitStatus::Signaled(Signal::Abort));
    assert!(table.running().is_empty());
}

#[tokio::test]
async fn the_first_doom_holds() {
    let table = table();
    let row = table.enter(0, 1, "sh", 1).unwrap();
    row.process().doom(ExitStatus::TimedOut);
    row.process().doom(ExitStatus::Signaled(Signal::Kill));
    assert_eq!(row.process().wait_doom().await, ExitStatus::TimedOut);
}

#[test]
fn a_long_name_is_cut_between_characters() {
    let table = table();
    let row = table.enter(0, 1, &"é".repeat(1_000_000), 1).unwrap();
    assert_eq!(&*row.process().name(), "é".repeat(127));
}

#[test]
fn a_child_has_from_its_parent_what_posix_says() {
    let table = table();
    let parent = table.enter(0, 1, "sh", 4).unwrap();
    let process = parent.process();
    assert_eq!((process.group(), process.foreground(), process.umask()), (process.pid(), process.pid(), 0o022));
    process.set_umask(0o4077);
    process.signals().ignore(SignalSet::default().with(Signal::Interrupt).with(Signal::Pipe));
    process.signals().handle(SignalSet::default().with(Signal::User1));
    let child = table.enter(process.pid(), 1, "cat", 4).unwrap();
    assert_eq!((child.process().group(), child.process().umask()), (process.pid(), 0o077));
    assert_eq!(child.process().signals().ignored(), SignalSet::default().with(Signal::Interrupt));
    child.process().send(Signal::User1);
    assert_eq!(child.process().doomed(), Some(ExitStatus::Signaled(Signal::User1)), "handlers are not inherited");
}

#[test]
fn a_signal_to_a_group_reaches_a_process_that_starts_in_it_or_its_parent() {
    let table = table();
    let parent = table.enter(0, 1, "sh", 9).unwrap();
    let (pid, group) = (parent.process().pid(), parent.process().group());
    let ignoring = Attributes { ignored: Some(SignalSet::default().with(Signal::Interrupt)), ..Attributes::default() };
    let before = table.enter(pid, 1, "cat", 9).unwrap();
    let deaf = table.enter_with(pid, 1, "cat", 9, ignoring).unwrap();
    let apart = table.enter_with(pid, 1, "cat", 9, Attributes { group: Some(0), ..Attributes::default() }).unwrap();
    assert!(table.send_to_group(group, Signal::Interrupt));
    let interrupted = Some(ExitStatus::Signaled(Signal::Interrupt));
    assert_eq!((before.process().doomed(), parent.process().doomed()), (interrupted, interrupted));
    assert_eq!((deaf.process().doomed(), apart.process().doomed()), (None, None), "they had these attributes from the beginning");
    let refused = table.enter_with(pid, 1, "cat", 9, Attributes::default()).err();
    assert_eq!(refused, Some(SpawnError::Ending), "an ended process cannot start another");

    // A parent that handles the signal receives it and may continue.
    let parent = table.enter(0, 1, "sh", 9).unwrap();
    parent.process().signals().handle(SignalSet::default().with(Signal::Interrupt));
    assert!(table.send_to_group(parent.process().group(), Signal::Interrupt));
    assert!(table.enter(parent.process().pid(), 1, "cat", 9).is_some_and(|child| child.process().doomed().is_none()));
    assert!(parent.process().signals().take().has(Signal::Interrupt));
}

#[test]
fn a_signal_to_a_group_is_not_lost_whatever_the_moment() {
    for _ in 0..200 {
        let table = table();
        let parent = table.enter(0, 1, "sh", 9).unwrap();
        let (pid, group) = (parent.process().pid(), parent.process().group());
        let sender = std::thread::spawn({
            let table = table.clone();
            move || table.send_to_group(group, Signal::Interrupt)
        });
        let child = table.enter_with(pid, 1, "cat", 9, Attributes::default());
        assert!(sender.join().unwrap() && parent.process().doomed().is_some());
        assert!(child.map_or_else(|error| error == SpawnError::Ending, |child| child.process().doomed().is_some()));
    }
}

#[test]
fn a_process_group_is_joined_when_it_exists() {
    let table = table();
    let (first, second) = (table.enter(0, 1, "sh", 4).unwrap(), table.enter(0, 2, "sh", 4).unwrap());
    let child = table.enter(first.process().pid(), 1, "cat", 4).unwrap();
    let (child, first, second) = (child.process(), first.process(), second.process());
    assert!(!table.set_group(child, 77) && !table.set_group(child, second.pid()), "not another command's");
    assert!(table.set_group(child, 0) && child.group() == child.pid());
    assert_eq!(table.of_group(child.pid()).len(), 1);
    assert!(table.set_group(child, first.pid()) && table.of_group(first.pid()).len() == 2);
}

#[test]
fn the_end_of_a_child_is_told_to_a_parent_that_asked() {
    let table = table();
    let parent = table.enter(0, 1, "sh", 4).unwrap();
    let process = parent.process();
    let child = table.enter(process.pid(), 1, "cat", 4).unwrap();
    process.signals().handle(SignalSet::default().with(Signal::Child));
    child.leave(ExitStatus::Exited(0));
    assert!(process.signals().take().has(Signal::Child) && process.doomed().is_none());
}

#[test]
fn limits_are_inherited_and_a_parent_may_give_its_children_lower_ones() {
    let table = table();
    let parent = table.enter(0, 1, "sh", 9).unwrap();
    let process = parent.process();
    let (ten, five) = (Bound { soft: 10, hard: 10 }, Bound { soft: 5, hard: 5 });
    process.set_limit(Limited::OpenFiles, ten);
    process.set_child_limit(Limited::Memory, Some(five));
    let child = table.enter(process.pid(), 1, "cat", 9).unwrap();
    let of = |row: &Row| [Limited::OpenFiles, Limited::Memory].map(|what| row.process().limit(what));
    assert_eq!((of(&child), of(&parent)), ([ten, five], [ten, Bound::NONE]));
    assert!(child.process().memory_gauge().allows(5) && !child.process().memory_gauge().allows(6));
    // Lowered afterwards: the limit for children follows, and one that was given up is the parent's own again.
    process.set_child_limit(Limited::OpenFiles, Some(ten));
    process.set_limit(Limited::OpenFiles, five);
    process.set_child_limit(Limited::Memory, None);
    assert_eq!(of(&table.enter(process.pid(), 1, "cat", 9).unwrap()), [five, Bound::NONE]);
}

#[test]
fn a_process_at_its_own_limit_of_processes_starts_no_other() {
    let table = table();
    let parent = table.enter(0, 1, "sh", 9).unwrap();
    let pid = parent.process().pid();
    parent.process().set_child_limit(Limited::Processes, Some(Bound { soft: 2, hard: 9 }));
    let child = table.enter(pid, 1, "cat", 9).unwrap();
    let refused = table.enter_with(pid, 1, "cat", 9, Attributes::default());
    assert!(matches!(refused, Err(SpawnError::NoRoom)), "and not `Limit`, which would end it");
    drop(child);
    assert!(table.enter(pid, 1, "cat", 9).is_some());
}

#[test]
fn processor_time_beyond_its_limit_is_a_signal() {
    let table = table();
    let second = 1_000_000_000;
    let with = |soft, hard| {
        let row = table.enter(0, 1, "sh", 9).unwrap();
        row.process().set_limit(Limited::ProcessorTime, Bound { soft, hard });
        row
    };
    let [soft, hard, handled] = [with(1, 3), with(1, 1), with(1, 9)];
    soft.process().add_cpu(second - 1);
    assert_eq!(soft.process().doomed(), None);
    soft.process().add_cpu(1);
    assert_eq!(soft.process().doomed(), Some(ExitStatus::Signaled(Signal::CpuLimit)));
    hard.process().add_cpu(second);
    assert_eq!(hard.process().doomed(), Some(ExitStatus::Signaled(Signal::Kill)));
    let signals = handled.process().signals();
    signals.handle(SignalSet::default().with(Signal::CpuLimit));
    let taken = [second, second / 2, second / 2, second / 4].map(|time| {
        handled.process().add_cpu(time);
        signals.take().has(Signal::CpuLimit)
    });
    assert_eq!(taken, [true, false, true, false], "once at the limit and once after each further second");
    handled.process().add_cpu(9 * second);
    assert_eq!(handled.process().doomed(), Some(ExitStatus::Signaled(Signal::Kill)));
}

fn ids(table: &ProcessTable) -> Vec<u32> {
    table.listed().iter().map(|process| process.pid()).collect()
}

#[test]
fn the_ended_are_listed_until_their_parent_knows() {
    let table = table();
    let parent = table.enter(0, 1, "sh", 9).unwrap();
    let pid = parent.process().pid();
    let child = || table.enter(pid, 1, "cat", 9).unwrap();
    let (asked, dropped, left, running) = (child(), child(), child(), child());
    let (first, second, third) = (asked.process().clone(), dropped.process().clone(), left.process().clone());
    table.reap(&second);
    for row in [asked, dropped, left] {
        row.leave(ExitStatus::Exited(3));
    }
    assert_eq!(ids(&table), [pid, first.pid(), third.pid(), running.process().pid()]);
    assert_eq!((first.activity(), table.get(first.pid()).is_none()), (Activity::Ended, true));
    assert!(table.find(second.pid()).is_none(), "its parent gave up its handle");
    table.reap(&first);
    assert_eq!(ids(&table), [pid, third.pid(), running.process().pid()]);
    // Nobody asks for the children of a process that has ended, nor for a process without a parent.
    parent.leave(ExitStatus::Exited(0));
    assert_eq!(ids(&table), [running.process().pid()]);
    drop(running);
    assert!(table.listed().is_empty());
}

#[test]
fn a_session_is_led_by_its_first_process() {
    let table = table();
    let (first, other) = (table.enter(0, 1, "sh", 9).unwrap(), table.enter(0, 2, "sh", 9).unwrap());
    let child = table.enter_with(first.process().pid(), 1, "cat", 9, Attributes { group: Some(0), ..Attributes::default() }).unwrap();
    let session = |row: &Row| row.process().session();
    assert_eq!((session(&first), session(&child), session(&other)), (first.process().pid(), first.process().pid(), other.process().pid()));
    assert!(!child.process().has_terminal());
}
