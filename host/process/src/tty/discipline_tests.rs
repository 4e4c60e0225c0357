use super::*;
use crate::tty::settings::{DISABLED, control};

const ERASED: &str = "\x08 \x08";

pub(super) fn lines() -> Discipline {
    Discipline::new(Size::new(24, 80))
}

/// A terminal whose settings differ from the default.
pub(super) fn with(change: impl FnOnce(&mut Settings)) -> Discipline {
    let mut terminal = lines();
    let mut settings = terminal.settings();
    change(&mut settings);
    terminal.set(settings);
    terminal
}

/// Types all of `bytes`.
pub(super) fn types(terminal: &mut Discipline, bytes: impl AsRef<[u8]>) -> SignalSet {
    let bytes = bytes.as_ref();
    let received = terminal.receive(bytes);
    assert_eq!(received.taken, bytes.len());
    received.signals
}

pub(super) fn screen(terminal: &mut Discipline) -> String {
    String::from_utf8_lossy(&terminal.take(usize::MAX)).into_owned()
}

/// What a read returns that need not wait.
pub(super) fn reads(terminal: &mut Discipline) -> Option<Vec<u8>> {
    reads_at_most(terminal, 100_000)
}

pub(super) fn reads_at_most(terminal: &mut Discipline, len: usize) -> Option<Vec<u8>> {
    match terminal.read(len, false) {
        Read::Ready(bytes) => Some(bytes.to_vec()),
        Read::Wait | Read::Within { .. } => None,
    }
}

/// A key with Control, as the string that it types.
fn key(key: u8) -> String {
    char::from(control(key)).to_string()
}

/// Types a line with the default settings; returns what a program reads and what the screen shows.
fn edited(typed: impl AsRef<[u8]>) -> (String, String) {
    let mut terminal = lines();
    types(&mut terminal, typed);
    let read = reads(&mut terminal).expect("a whole line was typed");
    (String::from_utf8_lossy(&read).into_owned(), screen(&mut terminal))
}

#[test]
fn a_line_is_read_when_it_is_complete_and_echoed_at_once() {
    let mut terminal = lines();
    types(&mut terminal, "ls");
    assert_eq!((screen(&mut terminal).as_str(), reads(&mut terminal)), ("ls", None));
    assert!(!terminal.is_readable());
    types(&mut terminal, "\r");
    assert!(terminal.is_readable());
    assert_eq!(screen(&mut terminal), "\r\n", "the key Enter types a carriage return, and is echoed as a new line");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"ls\n"[..]));
    assert_eq!(reads(&mut terminal), None);
}

#[test]
fn a_read_returns_one_line_or_a_part_of_it() {
    let mut terminal = lines();
    types(&mut terminal, "one\ntwo\nthr");
    assert_eq!(terminal.available(), 8);
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"one\n"[..]));
    assert_eq!(reads_at_most(&mut terminal, 2).as_deref(), Some(&b"tw"[..]));
    assert_eq!(terminal.read_now(1).as_deref(), Some(&b"o"[..]));
    assert_eq!(terminal.read_now(1).as_deref(), Some(&b"\n"[..]));
    assert_eq!((terminal.read_now(1), terminal.available()), (None, 0));
}

#[test]
fn erasing_removes_one_character_from_line_and_screen() {
    assert_eq!(edited("ab\x7fc\n"), ("ac\n".to_owned(), format!("ab{ERASED}c\r\n")));
    assert_eq!(edited("\x7f\x7fa\n"), ("a\n".to_owned(), "a\r\n".to_owned()), "there is nothing to erase");
    assert_eq!(edited("aé\x7f\n"), ("a\n".to_owned(), format!("aé{ERASED}\r\n")), "two bytes, one column");
    assert_eq!(edited("日\x7f\n"), ("\n".to_owned(), format!("日{ERASED}{ERASED}\r\n")), "two columns");
    assert_eq!(edited("e\u{301}\x7f\n"), ("e\n".to_owned(), "e\u{301}\r\n".to_owned()), "an accent has no column");
    assert_eq!(edited("🦀\x7f\n").0, "\n");
    assert_eq!(edited("\x01\x7f\n"), ("\n".to_owned(), format!("^A{ERASED}{ERASED}\r\n")), "^A has two columns");
}

#[test]
fn erasing_a_tab_goes_back_to_where_it_began() {
    let mut terminal = lines();
    assert_eq!(terminal.write(b"$ "), 2);
    types(&mut terminal, "a\t\x7f\x7f");
    assert_eq!(screen(&mut terminal), format!("$ a\t{}", ERASED.repeat(5 + 1)));
}

#[test]
fn what_is_not_utf_8_is_erased_byte_by_byte() {
    let mut terminal = lines();
    types(&mut terminal, b"\xc3\xc3\x7f\n");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"\xc3\n"[..]));
    types(&mut terminal, b"a\x80\x80\x80\x80\x80\x7f\x7f\n");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"a\x80\x80\x80\n"[..]));
    let mut terminal = with(|settings| settings.input &= !flag::IUTF8);
    types(&mut terminal, "é\x7f\n");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"\xc3\n"[..]), "without IUTF8 each byte is a character");
}

#[test]
fn erasing_a_word_removes_what_stands_after_it_too() {
    assert_eq!(edited(format!("one two  {}x\n", key(b'W'))), ("one x\n".to_owned(), format!("one two  {}x\r\n", ERASED.repeat(5))));
    assert_eq!(edited(format!("cd a/b.c {}\n", key(b'W'))).0, "cd a/b.\n");
    assert_eq!(edited(format!("größe_1{}\n", key(b'W'))).0, "\n");
    assert_eq!(edited(format!("...{}{}\n", key(b'W'), key(b'W'))).0, "\n");
    let mut terminal = with(|settings| settings.local &= !flag::IEXTEN);
    types(&mut terminal, "a\x17\n");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"a\x17\n"[..]), "without IEXTEN it is a byte");
}

#[test]
fn killing_removes_the_whole_line() {
    assert_eq!(edited(format!("abc{}d\n", key(b'U'))), ("d\n".to_owned(), format!("abc{}d\r\n", ERASED.repeat(3))));
    let mut terminal = with(|settings| settings.local &= !flag::ECHOKE);
    types(&mut terminal, "abc\x15d\n");
    assert_eq!(screen(&mut terminal), "abc^U\r\nd\r\n");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"d\n"[..]));
    let mut terminal = with(|settings| settings.local &= !(flag::ECHOK | flag::ECHOE));
    types(&mut terminal, "abc\x15\x7fde\x7f\n");
    assert_eq!(screen(&mut terminal), "abc^Ude^?\r\n", "a printing terminal shows the keys");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"d\n"[..]));
}

#[test]
fn a_line_is_shown_again() {
    let mut terminal = lines();
    types(&mut terminal, "ab\x01");
    terminal.write(b"\nnews");
    types(&mut terminal, format!("{}\x7f\x7f\n", key(b'R')));
    let erased = ERASED.repeat(3);
    assert_eq!(screen(&mut terminal), format!("ab^A\r\nnews^R\r\nab^A{erased}\r\n"));
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"a\n"[..]));
}

#[test]
fn a_literal_byte_has_no_effect_of_its_own() {
    assert_eq!(edited("\x16\x03\n"), ("\x03\n".to_owned(), "^\x08^C\r\n".to_owned()));
    assert_eq!(edited("a\x16\nb\n").0, "a\nb\n", "one line");
    assert_eq!(edited("\x16\r\n").0, "\r\n", "a carriage return stays one");
    assert_eq!(edited("\x16\x16\x16\x13\x16\x04\n").0, "\x16\x13\x04\n");
    assert_eq!(edited("ab\x16\x7f\x7f\n").0, "ab\n");
    let mut terminal = with(|settings| settings.local &= !flag::ICANON);
    types(&mut terminal, "\x16a");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"\x16a"[..]), "only lines are edited");
}

#[test]
fn ctrl_d_ends_the_input_or_a_line_without_a_newline() {
    let mut terminal = lines();
    types(&mut terminal, "\x04");
    assert!(terminal.is_readable());
    assert_eq!((reads(&mut terminal), reads(&mut terminal)), (Some(vec![]), None), "an end of file, once");
    types(&mut terminal, "abc\x04\x04");
    assert_eq!(terminal.available(), 3);
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"abc"[..]));
    assert_eq!((reads(&mut terminal), reads(&mut terminal)), (Some(vec![]), None));
    types(&mut terminal, "abc\x04");
    assert_eq!(reads_at_most(&mut terminal, 3).as_deref(), Some(&b"abc"[..]));
    assert_eq!(reads(&mut terminal), None, "what ended the line is no end of file, however long the read was");
    types(&mut terminal, "abc\x04");
    assert_eq!(reads_at_most(&mut terminal, 2).as_deref(), Some(&b"ab"[..]));
    assert_eq!(reads_at_most(&mut terminal, 2).as_deref(), Some(&b"c"[..]));
    assert_eq!(reads(&mut terminal), None);
    assert_eq!(screen(&mut terminal), "abcabcabc", "Ctrl-D is not echoed");
}

#[test]
fn other_characters_end_a_line_if_they_are_set() {
    let mut terminal = with(|settings| (settings.characters[at::VEOL], settings.characters[at::VEOL2]) = (b';', b'|'));
    types(&mut terminal, "a;b|c\n");
    let read = [(); 3].map(|()| reads(&mut terminal).expect("a line"));
    assert_eq!(read, [b"a;".to_vec(), b"b|".to_vec(), b"c\n".to_vec()]);
    assert_eq!(screen(&mut terminal), "a;b|c\r\n");
    let mut terminal = with(|settings| settings.characters[at::VINTR] = DISABLED);
    assert_eq!(types(&mut terminal, "\x03\0\n"), SignalSet::default(), "a character that is switched off is no other byte either");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"\x03\0\n"[..]));
}

#[test]
fn a_line_has_at_most_4096_bytes() {
    let mut terminal = lines();
    types(&mut terminal, "x".repeat(5_000));
    assert_eq!(screen(&mut terminal).len(), LINE_CAPACITY - 1, "what is not taken is not echoed");
    types(&mut terminal, "\n");
    assert_eq!(reads(&mut terminal).map(|line| line.len()), Some(LINE_CAPACITY));
    let mut terminal = with(|settings| settings.input |= flag::IMAXBEL);
    types(&mut terminal, "x".repeat(LINE_CAPACITY));
    assert!(screen(&mut terminal).ends_with("x\x07"), "the last byte rang the bell");
}

#[test]
fn keys_send_signals_and_discard_what_waits() {
    for (typed, signal, shown) in [("\x03", Signal::Interrupt, "^C"), ("\x1c", Signal::Quit, "^\\"), ("\x1a", Signal::TerminalStop, "^Z")] {
        let mut terminal = lines();
        terminal.write(b"output");
        assert_eq!(types(&mut terminal, "one\ntwo"), SignalSet::default());
        assert_eq!(types(&mut terminal, typed), SignalSet::default().with(signal));
        assert_eq!(screen(&mut terminal), shown);
        types(&mut terminal, "x\n");
        assert_eq!(reads(&mut terminal).as_deref(), Some(&b"x\n"[..]));

        let mut terminal = with(|settings| settings.local |= flag::NOFLSH);
        terminal.write(b"output");
        assert_eq!(types(&mut terminal, format!("one\ntwo{typed}\n")), SignalSet::default().with(signal));
        assert_eq!(screen(&mut terminal), format!("outputone\r\ntwo{shown}\r\n"));
        assert_eq!((reads(&mut terminal), reads(&mut terminal)), (Some(b"one\n".to_vec()), Some(b"two\n".to_vec())));

        let mut terminal = with(|settings| settings.local &= !flag::ISIG);
        assert_eq!(types(&mut terminal, format!("{typed}\n")), SignalSet::default());
        assert_eq!(reads(&mut terminal), Some(format!("{typed}\n").into_bytes()));
    }
    assert_eq!(types(&mut lines(), "\x03\x1c"), SignalSet::default().with(Signal::Interrupt).with(Signal::Quit));
}

#[test]
fn the_person_stops_output_and_lets_it_go_on() {
    let mut terminal = lines();
    terminal.write(b"one");
    types(&mut terminal, "\x13");
    terminal.write(b"two");
    assert!(!terminal.shows() && !terminal.is_drained());
    assert_eq!(screen(&mut terminal), "");
    types(&mut terminal, "\x11");
    assert_eq!(screen(&mut terminal), "onetwo");
    assert!(terminal.is_drained());
    assert_eq!(reads(&mut terminal), None, "neither key is read");

    types(&mut terminal, "\x13a");
    assert_eq!(screen(&mut terminal), "", "echo waits too");
    types(&mut terminal, "\x03");
    assert_eq!(screen(&mut terminal), "^C", "an interrupt is seen");

    let mut terminal = with(|settings| settings.input |= flag::IXANY);
    types(&mut terminal, "\x13a");
    assert_eq!(screen(&mut terminal), "a");
    let mut terminal = with(|settings| settings.input &= !flag::IXON);
    types(&mut terminal, "\x13\x11\n");
    assert_eq!((screen(&mut terminal).as_str(), reads(&mut terminal)), ("^S^Q\r\n", Some(b"\x13\x11\n".to_vec())));
}

#[test]
fn a_program_holds_output_back_and_only_a_program_releases_it() {
    let mut terminal = lines();
    terminal.flow(Flow::HoldOutput);
    terminal.write(b"x");
    types(&mut terminal, "\x13\x11");
    assert_eq!(screen(&mut terminal), "");
    terminal.flow(Flow::ReleaseOutput);
    assert_eq!(screen(&mut terminal), "x");
    terminal.flow(Flow::SendStop);
    terminal.flow(Flow::SendStart);
    assert_eq!(screen(&mut terminal), "\x13\x11");
}

#[test]
fn raw_input_is_read_as_it_is_typed() {
    let mut terminal = with(|settings| *settings = settings.raw());
    assert_eq!(types(&mut terminal, b"\x03\r\x7f\x04\x13\xff"), SignalSet::default());
    assert_eq!(screen(&mut terminal), "");
    assert_eq!((terminal.available(), terminal.is_readable()), (6, true));
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"\x03\r\x7f\x04\x13\xff"[..]));
    terminal.write(b"a\nb");
    assert_eq!(screen(&mut terminal), "a\nb");
}

#[test]
fn raw_input_with_echo_shows_control_characters() {
    let mut terminal = with(|settings| settings.local &= !flag::ICANON);
    types(&mut terminal, "a\x01\x7f\t\r");
    assert_eq!(screen(&mut terminal), "a^A^?\t\r\n");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"a\x01\x7f\t\n"[..]));
}

/// A raw terminal with these values of VMIN and VTIME.
fn timed(least: u8, tenths: u8) -> Discipline {
    with(|settings| {
        *settings = settings.raw();
        (settings.characters[at::VMIN], settings.characters[at::VTIME]) = (least, tenths);
    })
}

#[test]
fn a_raw_read_waits_for_vmin_bytes() {
    let mut terminal = timed(3, 0);
    types(&mut terminal, "ab");
    assert_eq!((terminal.read(10, false), terminal.is_readable()), (Read::Wait, false));
    assert_eq!(reads_at_most(&mut terminal, 1).as_deref(), Some(&b"a"[..]), "a shorter read does not wait for more than it takes");
    types(&mut terminal, "cde");
    assert!(terminal.is_readable());
    assert_eq!(reads_at_most(&mut terminal, 10).as_deref(), Some(&b"bcde"[..]));
    types(&mut terminal, "f");
    assert_eq!(terminal.read_now(10).as_deref(), Some(&b"f"[..]), "without waiting, whatever is there");

    let mut terminal = timed(0, 0);
    assert_eq!((reads(&mut terminal), terminal.read_now(10)), (Some(vec![]), None));
    types(&mut terminal, "a");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"a"[..]));
}

#[test]
fn a_raw_read_ends_when_its_time_is_over() {
    let half = Duration::from_millis(500);
    let mut terminal = timed(0, 5);
    assert_eq!(terminal.read(10, false), Read::Within { time: half, typed: 0 });
    assert_eq!(terminal.read(10, true), Read::Ready(Bytes::new()), "nothing was typed in time");
    types(&mut terminal, "a");
    assert_eq!(terminal.read(10, false), Read::Ready(Bytes::from_static(b"a")));

    let mut terminal = timed(3, 5);
    assert_eq!(terminal.read(10, false), Read::Wait, "the time begins with the first byte");
    types(&mut terminal, "a");
    assert_eq!(terminal.read(10, false), Read::Within { time: half, typed: 1 });
    types(&mut terminal, "b");
    assert_eq!(terminal.read(10, false), Read::Within { time: half, typed: 2 }, "and again with each");
    assert!(terminal.is_readable());
    assert_eq!(terminal.read(10, true), Read::Ready(Bytes::from_static(b"ab")));
}

#[test]
fn what_was_typed_survives_a_change_of_mode() {
    let raw = |terminal: &mut Discipline| {
        let settings = terminal.settings();
        terminal.set(Settings { local: settings.local & !flag::ICANON, ..settings });
    };
    let cooked = |terminal: &mut Discipline| {
        let settings = terminal.settings();
        terminal.set(Settings { local: settings.local | flag::ICANON, ..settings });
    };
    let mut terminal = lines();
    types(&mut terminal, "one\n\x04two");
    raw(&mut terminal);
    assert_eq!((terminal.available(), reads(&mut terminal)), (7, Some(b"one\ntwo".to_vec())));
    types(&mut terminal, "three");
    cooked(&mut terminal);
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"three"[..]), "a line that was typed raw is complete");
    types(&mut terminal, "a\x7fb\n");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"b\n"[..]));
    raw(&mut terminal);
    cooked(&mut terminal);
    assert_eq!(reads(&mut terminal), None);
}
