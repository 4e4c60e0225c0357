use std::future::pending;

use super::*;
use crate::signals::SignalSet;
use crate::spawn::Attributes;
use crate::status::ExitStatus;
use crate::stoppable::Stoppable;
use crate::table::Row;
use crate::tty::settings::{Settings, at, flag};
use crate::tty::{Admission, Flow, Flushed};

fn terminal() -> (Keyboard, Tty) {
    pair(&Arc::new(ProcessTable::new()), Size::new(24, 80))
}

/// A terminal, and a process that it controls.
fn controlled() -> (Keyboard, Tty, Arc<ProcessTable>, Row) {
    let table = Arc::new(ProcessTable::new());
    let (keyboard, tty) = pair(&table, Size::new(24, 80));
    let attributes = Attributes { terminal: Some(tty.control().foreground().clone()), ..Attributes::default() };
    let row = table.enter_with(0, 1, "sh", 9, attributes).unwrap();
    (keyboard, tty, table, row)
}

fn bytes(text: &'static str) -> Bytes {
    Bytes::from_static(text.as_bytes())
}

/// A read without a clock.
async fn read(tty: &Tty) -> Bytes {
    tty.read(None, 1_000, |_| pending()).await.unwrap()
}

/// Makes the terminal raw, with this VMIN and VTIME.
fn raw(tty: &Tty, least: u8, tenths: u8) {
    let mut settings = tty.control().settings().raw();
    (settings.characters[at::VMIN], settings.characters[at::VTIME]) = (least, tenths);
    tty.control().set(settings);
}

#[tokio::test]
async fn what_is_typed_is_read_and_what_is_written_is_shown() {
    let (keyboard, tty) = terminal();
    assert_eq!((tty.try_read(9), keyboard.try_take(9)), (None, None));
    keyboard.type_all(bytes("ls\r")).await.unwrap();
    assert_eq!(read(&tty).await, "ls\n");
    tty.write_all(bytes("a\nb\n")).await.unwrap();
    assert_eq!(keyboard.take(4).await, "ls\r\n");
    assert_eq!(keyboard.take(100).await, "a\r\nb\r\n");
    assert_eq!(keyboard.try_take(100), None);
}

#[tokio::test]
async fn a_reader_is_woken_by_the_end_of_a_line() {
    let (keyboard, tty) = terminal();
    let reader = tokio::spawn(async move { (read(&tty).await, tty) });
    let watch = keyboard.control().watch();
    watch.until(true).await;
    keyboard.type_all(bytes("l")).await.unwrap();
    tokio::task::yield_now().await;
    assert!(watch.is_wanted() && !reader.is_finished(), "half a line ends no wait");
    keyboard.type_all(bytes("s\n")).await.unwrap();
    let (line, _tty) = reader.await.unwrap();
    assert_eq!(line, "ls\n");
    assert!(!watch.is_wanted());
}

#[tokio::test]
async fn a_reader_is_woken_by_a_change_of_the_settings() {
    let (keyboard, tty) = terminal();
    let control = tty.control().clone();
    keyboard.type_all(bytes("half")).await.unwrap();
    let reader = tokio::spawn(async move { (read(&tty).await, tty) });
    keyboard.control().watch().until(true).await;
    control.set(control.settings().raw());
    assert_eq!(reader.await.unwrap().0, "half");
}

#[tokio::test]
async fn vtime_is_measured_by_the_clock_that_the_reader_brings() {
    let (keyboard, tty) = terminal();
    raw(&tty, 0, 7);
    let at_once = |time: Duration| async move { assert_eq!(time, Duration::from_millis(700)) };
    assert!(tty.read(None, 9, at_once).await.unwrap().is_empty(), "nothing was typed in time");
    keyboard.type_all(bytes("a")).await.unwrap();
    assert_eq!(tty.read(None, 9, at_once).await.unwrap(), "a");

    raw(&tty, 3, 7);
    keyboard.type_all(bytes("b")).await.unwrap();
    assert_eq!(tty.read(None, 9, at_once).await.unwrap(), "b", "the time between two bytes is over");
    let reader = tokio::spawn(async move { tty.read(None, 9, |_| pending()).await.unwrap() });
    keyboard.control().watch().until(true).await;
    for key in ["c", "d", "e"] {
        assert!(!reader.is_finished());
        keyboard.type_all(bytes(key)).await.unwrap();
        tokio::task::yield_now().await;
    }
    assert_eq!(reader.await.unwrap(), "cde");
}

#[tokio::test]
async fn a_writer_waits_until_the_screen_has_taken_something() {
    let (keyboard, tty) = terminal();
    let text = Bytes::from("0123456789".repeat(30_000));
    let sent = text.clone();
    let writer = tokio::spawn(async move {
        tty.write_all(sent).await.unwrap();
        tty.control().drained().await;
    });
    let mut shown = Vec::new();
    loop {
        let part = keyboard.take(5_000).await;
        if part.is_empty() {
            break;
        }
        assert!(part.len() <= 5_000);
        shown.extend_from_slice(&part);
    }
    writer.await.unwrap();
    assert!(shown == text);
}

#[tokio::test]
async fn a_typist_waits_until_something_was_read() {
    let (keyboard, tty) = terminal();
    let text = "a line\n".repeat(10_000);
    let sent = Bytes::from(text.clone());
    let typist = tokio::spawn(async move {
        keyboard.type_all(sent).await.unwrap();
        keyboard
    });
    let mut lines = String::new();
    while lines.len() < text.len() {
        let line = read(&tty).await;
        assert_eq!(line, "a line\n");
        lines.push_str("a line\n");
    }
    drop(typist.await.unwrap());
    assert!(read(&tty).await.is_empty());
}

#[tokio::test]
async fn keys_and_sizes_send_signals_to_the_foreground() {
    let (keyboard, tty, table, shell) = controlled();
    let pid = shell.process().pid();
    shell.process().signals().handle(SignalSet::of(u64::MAX));
    let behind = table.enter_with(pid, 1, "cat", 9, Attributes { group: Some(0), ..Attributes::default() }).unwrap();
    assert_eq!(shell.process().foreground(), pid, "a process that gets a terminal is in its foreground");
    keyboard.type_all(bytes("\x03")).await.unwrap();
    keyboard.control().resize(Size::new(30, 100));
    let both = SignalSet::default().with(Signal::Interrupt).with(Signal::Window);
    assert_eq!(shell.process().signals().take(), both);
    assert_eq!(behind.process().doomed(), None, "another process group is not interrupted");
    keyboard.control().resize(Size::new(30, 100));
    assert_eq!(shell.process().signals().take(), SignalSet::default(), "the size is the same");

    shell.process().set_foreground(behind.process().group());
    keyboard.type_all(bytes("\x1c")).await.unwrap();
    assert_eq!(behind.process().doomed(), Some(ExitStatus::Signaled(Signal::Quit)));
    assert_eq!(shell.process().signals().take(), SignalSet::default());
    assert_eq!(tty.control().foreground().group(), behind.process().group());
}

#[tokio::test]
async fn ctrl_z_stops_the_foreground() {
    let (keyboard, _tty, table, shell) = controlled();
    let cat = table.enter(shell.process().pid(), 1, "cat", 9).unwrap();
    keyboard.type_all(bytes("\x1a")).await.unwrap();
    assert_eq!((shell.process().signals().stopped(), cat.process().signals().stopped()), (None, None), "nothing could continue them");
    shell.process().signals().handle(SignalSet::default().with(Signal::TerminalStop));
    keyboard.type_all(bytes("\x1a")).await.unwrap();
    assert_eq!((shell.process().signals().stopped(), cat.process().signals().stopped()), (None, Some(Signal::TerminalStop)));
    assert!(shell.process().signals().has_pending());
}

#[tokio::test]
async fn ctrl_z_stops_a_group_whose_parent_is_in_another() {
    let (keyboard, _tty, table, shell) = controlled();
    let own = || Attributes { group: Some(0), ..Attributes::default() };
    let job = table.enter_with(shell.process().pid(), 1, "cat", 9, own()).unwrap();
    shell.process().set_foreground(job.process().group());
    keyboard.type_all(bytes("\x1a")).await.unwrap();
    assert_eq!(job.process().signals().stopped(), Some(Signal::TerminalStop));
    assert_eq!(shell.process().signals().stopped(), None);
}

#[tokio::test]
async fn a_terminal_without_processes_takes_its_keys_all_the_same() {
    let (keyboard, tty) = terminal();
    keyboard.type_all(bytes("\x03x\n")).await.unwrap();
    keyboard.control().resize(Size::new(1, 1));
    assert_eq!(read(&tty).await, "x\n");
}

#[tokio::test]
async fn dropping_the_keyboard_hangs_up() {
    let (keyboard, tty, table, shell) = controlled();
    let other = table.enter(0, 2, "sh", 9).unwrap();
    let apart = table.enter_with(shell.process().pid(), 1, "cat", 9, Attributes { group: Some(0), ..Attributes::default() }).unwrap();
    keyboard.type_all(bytes("left\nover")).await.unwrap();
    drop(keyboard);
    let hung_up = Some(ExitStatus::Signaled(Signal::Hangup));
    assert_eq!((shell.process().doomed(), apart.process().doomed()), (hung_up, hung_up));
    assert_eq!(other.process().doomed(), None, "another terminal's process does not notice");
    assert_eq!(read(&tty).await, "left\n", "whole lines are still read");
    assert!(read(&tty).await.is_empty() && tty.try_read(9).is_some_and(|bytes| bytes.is_empty()));
    assert_eq!((tty.room(), tty.write_all(bytes("x")).await), (Err(HungUp), Err(HungUp)));
    tty.readable().await;
    tty.writable().await;
    tty.control().drained().await;
}

#[tokio::test]
async fn a_reader_and_a_writer_that_wait_notice_the_hangup() {
    let (keyboard, tty) = terminal();
    let tty = Arc::new(tty);
    let reader = tokio::spawn({
        let tty = tty.clone();
        async move { read(&tty).await }
    });
    let writer = tokio::spawn(async move { tty.write_all(Bytes::from(vec![b'x'; 1 << 20])).await });
    keyboard.control().watch().until(true).await;
    drop(keyboard);
    assert!(reader.await.unwrap().is_empty());
    assert_eq!(writer.await.unwrap(), Err(HungUp));
}

#[tokio::test]
async fn output_ends_when_the_last_program_is_gone_even_if_it_is_stopped() {
    let (keyboard, tty) = terminal();
    keyboard.type_all(bytes("\x13")).await.unwrap();
    tty.write_all(bytes("last")).await.unwrap();
    assert_eq!(keyboard.try_take(100), None);
    let watch = keyboard.control().watch();
    drop(tty);
    assert_eq!(keyboard.take(100).await, "last");
    assert!(keyboard.take(100).await.is_empty() && keyboard.take(100).await.is_empty());
    assert_eq!(keyboard.type_all(bytes("x")).await, Err(HungUp));
    assert!(!watch.is_wanted());
    keyboard.typable().await;
}

#[tokio::test]
async fn both_ends_have_the_same_settings() {
    let (keyboard, tty) = terminal();
    let settings = Settings { local: keyboard.control().settings().local & !flag::ECHO, ..Settings::default() };
    keyboard.control().set(settings);
    assert_eq!(tty.control().settings(), settings);
    tty.control().resize(Size::new(1, 2));
    assert_eq!(keyboard.control().size(), Size::new(1, 2));
    keyboard.type_all(bytes("secret\n")).await.unwrap();
    assert_eq!((keyboard.try_take(100), tty.control().available()), (None, 7));
    tty.control().flush(Flushed::Input);
    assert_eq!(tty.try_read(100), None);
    tty.control().flow(Flow::HoldOutput);
    tty.write_all(bytes("x")).await.unwrap();
    assert_eq!(keyboard.try_take(100), None);
    tty.control().flow(Flow::ReleaseOutput);
    assert_eq!(keyboard.take(100).await, "x");
}

/// A terminal, its shell, and a job of the shell that is in the background.
fn with_job() -> (Keyboard, Tty, Row, Row) {
    let (keyboard, tty, table, shell) = controlled();
    let attributes = Attributes { group: Some(0), ..Attributes::default() };
    let job = table.enter_with(shell.process().pid(), 1, "cat", 9, attributes).unwrap();
    (keyboard, tty, shell, job)
}

#[tokio::test]
async fn a_read_in_the_background_stops_the_reader_until_it_is_in_the_foreground() {
    let (keyboard, tty, shell, job) = with_job();
    keyboard.type_all(bytes("line\n")).await.unwrap();
    let reader = job.process().clone();
    let work = async move { tty.read(Some(&reader), 9, |_| pending()).await };
    let reading = tokio::spawn(Stoppable::new(work, job.process().clone()));
    job.process().signals().wait_stopped().await;
    assert_eq!(job.process().signals().stopped(), Some(Signal::TerminalInput));
    assert_eq!(keyboard.control().available(), 5, "it took nothing");
    job.process().send(Signal::Continue);
    job.process().signals().wait_stopped().await;
    shell.process().set_foreground(job.process().group());
    job.process().send(Signal::Continue);
    assert_eq!(reading.await.unwrap().unwrap(), "line\n");
}

#[tokio::test]
async fn a_reader_that_is_moved_to_the_background_while_it_waits_takes_nothing() {
    let (keyboard, tty, shell, job) = with_job();
    shell.process().set_foreground(job.process().group());
    let reader = job.process().clone();
    let work = async move { tty.read(Some(&reader), 9, |_| pending()).await };
    let _reading = tokio::spawn(Stoppable::new(work, job.process().clone()));
    keyboard.control().watch().until(true).await;
    shell.process().set_foreground(shell.process().group());
    keyboard.type_all(bytes("for the shell\n")).await.unwrap();
    job.process().signals().wait_stopped().await;
    assert_eq!(keyboard.control().available(), 14);
}

#[test]
fn the_background_may_write_but_not_change_the_terminal() {
    let (_keyboard, tty, shell, job) = with_job();
    let control = tty.control();
    let all = [Use::Read, Use::Write, Use::Change];
    assert_eq!(all.map(|how| control.admit(shell.process(), how)), [Admission::Granted; 3], "the foreground may do all");
    assert_eq!(control.admit(job.process(), Use::Write), Admission::Granted);
    assert_eq!(control.admit(job.process(), Use::Change), Admission::Stopping);
    assert_eq!(job.process().signals().stopped(), Some(Signal::TerminalOutput));
    job.process().send(Signal::Continue);
    let settings = control.settings();
    control.set(Settings { local: settings.local | flag::TOSTOP, ..settings });
    assert_eq!(control.admit(job.process(), Use::Write), Admission::Stopping);

    let both = SignalSet::default().with(Signal::TerminalInput).with(Signal::TerminalOutput);
    job.process().signals().handle(both);
    assert_eq!(all.map(|how| control.admit(job.process(), how)), [Admission::Refused; 3]);
    assert_eq!(job.process().signals().take(), both);
    job.process().signals().ignore(both);
    assert_eq!(all.map(|how| control.admit(job.process(), how)), [Admission::Refused, Admission::Granted, Admission::Granted]);
}

#[test]
fn a_terminal_does_not_stop_the_processes_of_another() {
    let (_keyboard, tty, _shell, _job) = with_job();
    let (_other_keyboard, other, _other_shell, other_job) = with_job();
    assert_eq!(tty.control().admit(other_job.process(), Use::Read), Admission::Granted);
    assert_eq!(other.control().admit(other_job.process(), Use::Read), Admission::Stopping);
}

#[tokio::test]
async fn a_wait_for_input_is_seen_while_it_lasts() {
    let (keyboard, tty) = terminal();
    let watch = keyboard.control().watch();
    watch.until(false).await;
    let reader = tokio::spawn(async move { (read(&tty).await, tty) });
    watch.until(true).await;
    keyboard.type_all(bytes("half")).await.unwrap();
    tokio::task::yield_now().await;
    watch.until(true).await;
    keyboard.type_all(bytes(" a line\n")).await.unwrap();
    watch.until(false).await;
    assert_eq!(reader.await.unwrap().0, "half a line\n");
}

#[tokio::test]
async fn hanging_up_keeps_what_is_on_its_way_to_the_screen() {
    let (keyboard, tty) = terminal();
    tty.write_all(bytes("last words")).await.unwrap();
    keyboard.hang_up();
    assert_eq!((keyboard.type_all(bytes("x")).await, tty.room()), (Err(HungUp), Err(HungUp)));
    assert!(read(&tty).await.is_empty());
    assert_eq!(keyboard.take(100).await, "last words");
    drop(tty);
    assert!(keyboard.take(100).await.is_empty());
}
