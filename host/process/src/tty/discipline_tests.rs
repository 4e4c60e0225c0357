use super::*;
use crate::tty::settings::{DISABLED, control};

const ERASED: &str = "\x08 \x08";

fn lines() -> Discipline {
    Discipline::new(Size::new(24, 80))
}

/// A terminal whose settings differ from the default.
fn with(change: impl FnOnce(&mut Settings)) -> Discipline {
    let mut terminal = lines();
    let mut settings = terminal.settings();
    change(&mut settings);
    terminal.set(settings);
    terminal
}

/// Types all of `bytes`.
fn types(terminal: &mut Discipline, bytes: impl AsRef<[u8]>) -> SignalSet {
    let bytes = bytes.as_ref();
    let received = terminal.receive(bytes);
    assert_eq!(received.taken, bytes.len());
    received.signals
}

fn screen(terminal: &mut Discipline) -> String {
    String::from_utf8_lossy(&terminal.take(usize::MAX)).into_owned()
}

/// What a read returns that need not wait.
fn reads(terminal: &mut Discipline) -> Option<Vec<u8>> {
    reads_at_most(terminal, 100_000)
}

fn reads_at_most(terminal: &mut Discipline, len: usize) -> Option<Vec<u8>> {
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
    for (typed, signal, shown) in
        [("\x03", Signal::Interrupt, "^C"), ("\x1c", Signal::Quit, "^\\"), ("\x1a", Signal::TerminalStop, "^Z")]
    {
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

#[test]
fn typed_bytes_are_mapped() {
    let mapped = |flags: u32, typed: &[u8]| {
        let mut terminal = with(|settings| {
            settings.input = flags;
            settings.local &= !(flag::ICANON | flag::ECHO);
        });
        types(&mut terminal, typed);
        reads(&mut terminal).unwrap_or_default()
    };
    assert_eq!(mapped(0, b"\r\n\xff\xc1A"), b"\r\n\xff\xc1A");
    assert_eq!(mapped(flag::ICRNL, b"\r\n"), b"\n\n");
    assert_eq!(mapped(flag::INLCR, b"\r\n"), b"\r\r");
    assert_eq!(mapped(flag::ICRNL | flag::INLCR, b"\r\n"), b"\n\r");
    assert_eq!(mapped(flag::IGNCR | flag::ICRNL, b"a\r\n"), b"a\n");
    assert_eq!(mapped(flag::ISTRIP, b"\xc1\xff"), b"A\x7f");
    assert_eq!(mapped(flag::IUCLC, b"ABc\xc4"), b"abc\xc4");
    assert_eq!(mapped(flag::PARMRK, b"\xffa"), b"\xff\xffa");
    assert_eq!(mapped(flag::PARMRK | flag::ISTRIP, b"\xffa"), b"\x7fa");
}

#[test]
fn written_bytes_are_processed() {
    let shown = |flags: u32, written: &str| {
        let mut terminal = with(|settings| settings.output = flags);
        assert_eq!(terminal.write(written.as_bytes()), written.len());
        screen(&mut terminal)
    };
    assert_eq!(shown(flag::ONLCR, "a\nb\tc"), "a\nb\tc", "nothing without OPOST");
    assert_eq!(shown(flag::OPOST, "a\nb"), "a\nb");
    assert_eq!(shown(flag::OPOST | flag::ONLCR, "a\n\nb\r\n"), "a\r\n\r\nb\r\r\n");
    assert_eq!(shown(flag::OPOST | flag::OCRNL, "a\rb"), "a\nb");
    assert_eq!(shown(flag::OPOST | flag::ONOCR, "\ra\r\rb"), "a\rb");
    assert_eq!(shown(flag::OPOST | flag::ONOCR | flag::ONLRET, "a\n\rb"), "a\nb", "a newline returns the carriage");
    assert_eq!(shown(flag::OPOST | flag::OLCUC, "aß"), "Aß");
    assert_eq!(shown(flag::OPOST | flag::XTABS, "\tab\té\t|"), "        ab      é       |");
    assert_eq!(shown(flag::OPOST | flag::XTABS, "abc\x08\t|\r\t|"), "abc\x08      |\r        |");
}

#[test]
fn without_echo_nothing_is_shown_except_newlines_on_request() {
    let mut terminal = with(|settings| settings.local &= !flag::ECHO);
    types(&mut terminal, "se\x7f\x17\x15\x12\x16\x01cret\n");
    assert_eq!(screen(&mut terminal), "");
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"\x12\x01cret\n"[..]), "without echo there is nothing to show again");
    let mut terminal = with(|settings| settings.local = (settings.local & !flag::ECHO) | flag::ECHONL);
    types(&mut terminal, "secret\n");
    assert_eq!(screen(&mut terminal), "\r\n");
}

#[test]
fn a_full_queue_makes_the_typist_wait() {
    let mut terminal = with(|settings| settings.local &= !(flag::ICANON | flag::ECHO));
    let many = vec![b'x'; 2 * queue::CAPACITY];
    let taken = terminal.receive(&many).taken;
    assert!((queue::CAPACITY - 3..=queue::CAPACITY).contains(&taken), "{taken}");
    assert!(terminal.is_full());
    assert_eq!(terminal.receive(&many).taken, 0);
    assert_eq!(reads_at_most(&mut terminal, 100).map(|bytes| bytes.len()), Some(100));
    assert_eq!(terminal.receive(&many).taken, 100);

    let received = terminal.receive(b"more\x03tail");
    assert_eq!((received.taken, received.signals), (9, SignalSet::default().with(Signal::Interrupt)));
    assert_eq!(reads(&mut terminal).as_deref(), Some(&b"tail"[..]), "an interrupt needs no room");
}

#[test]
fn an_interrupt_that_keeps_the_input_waits_for_room_as_other_keys_do() {
    let full = |local: u32| {
        let mut terminal = with(|settings| settings.local |= local);
        let taken = terminal.receive(&b"x\n".repeat(queue::CAPACITY)).taken;
        assert!(taken <= queue::CAPACITY && terminal.is_full());
        terminal
    };
    assert_eq!(full(flag::NOFLSH).receive(b"\x03").taken, 0);
    assert_eq!(full(0).receive(b"\x16\x03").taken, 0, "a literal Ctrl-C is no interrupt");
    assert_eq!(full(0).receive(b"\x16\x16\x03").taken, 3);
    let mut quoting = full(0);
    reads_at_most(&mut quoting, 2);
    quoting.receive(b"\x16");
    while !quoting.is_full() {
        quoting.queue.push(b'x', queue::Mark::LineEnd);
    }
    assert_eq!(quoting.receive(b"\x03").taken, 0, "nor one whose Ctrl-V came earlier");
}

#[test]
fn a_full_output_makes_the_program_wait_and_leaves_room_for_echo() {
    let mut terminal = lines();
    let taken = terminal.write(&vec![b'x'; 2 * OUTPUT_CAPACITY]);
    assert!((OUTPUT_CAPACITY - EXPANSION..=OUTPUT_CAPACITY).contains(&taken), "{taken}");
    assert_eq!((terminal.room(), terminal.write(b"x")), (0, 0));
    types(&mut terminal, "echo");
    assert_eq!(terminal.take(usize::MAX).len(), taken + 4);
    assert!(terminal.room() > 0);
    terminal.write(&vec![b'x'; 2 * OUTPUT_CAPACITY]);
    for _ in 0..10 {
        types(&mut terminal, "y".repeat(1_000) + "\n");
        assert_eq!(reads(&mut terminal).map(|line| line.len()), Some(1_001), "a line is read even where its echo is lost");
    }
    assert!(terminal.take(usize::MAX).len() <= OUTPUT_CAPACITY + ECHO_ROOM);

    let mut terminal = with(|settings| settings.output = 0);
    assert_eq!(terminal.room(), OUTPUT_CAPACITY);
    assert_eq!(terminal.write(&vec![b'\n'; 2 * OUTPUT_CAPACITY]), OUTPUT_CAPACITY);
    let mut terminal = with(|settings| settings.output = flag::OPOST | flag::XTABS);
    let room = terminal.room();
    assert_eq!(terminal.write(&vec![b'\t'; room]), room, "what `room` promises is taken, whatever it becomes");
}

#[test]
fn flushing_empties_what_is_asked() {
    let filled = || {
        let mut terminal = lines();
        types(&mut terminal, "one\ntwo");
        terminal
    };
    let mut terminal = filled();
    terminal.flush(Flushed::Input);
    types(&mut terminal, "x\n");
    assert_eq!((reads(&mut terminal), screen(&mut terminal)), (Some(b"x\n".to_vec()), "one\r\ntwox\r\n".to_owned()));
    let mut terminal = filled();
    terminal.flush(Flushed::Output);
    assert_eq!((reads(&mut terminal), screen(&mut terminal)), (Some(b"one\n".to_vec()), String::new()));
    let mut terminal = filled();
    terminal.flush(Flushed::Both);
    assert_eq!((reads(&mut terminal), screen(&mut terminal)), (None, String::new()));
}

#[test]
fn settings_keep_their_numbers_and_eight_bits() {
    let mut terminal = lines();
    let odd = Settings { input: u32::MAX, output: u32::MAX, control: 0o1400, local: u32::MAX, characters: [7; 19] };
    terminal.set(odd);
    assert_eq!(terminal.settings(), Settings { control: 0o1000 | flag::CS8 | flag::CREAD, ..odd });
    let new = Settings::default();
    assert_eq!((new.input, new.output, new.control, new.local), (0o42400, 0o5, 0o277, 0o105073));
    assert_eq!(new.characters, [3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0, 0, 0]);
}

#[test]
fn a_change_of_the_size_is_noticed_once() {
    let mut terminal = lines();
    assert_eq!((terminal.resize(Size::new(24, 80)), terminal.resize(Size::new(30, 100))), (false, true));
    assert_eq!((terminal.resize(Size::new(30, 100)), terminal.size()), (false, Size::new(30, 100)));
}

/// Numbers without a pattern (xorshift).
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }

    fn bytes(&mut self) -> Vec<u8> {
        let some = b"ab \t\r\n\x03\x04\x7f\x11\x12\x13\x15\x16\x17\x1a\x1c\xc3\xa9\xe6\x97\xa5\xff\x00;";
        let (len, kind) = (self.throw(40) * self.throw(200), self.throw(2));
        (0..len).map(|_| if kind == 0 { some[self.throw(some.len())] } else { self.throw(256) as u8 }).collect()
    }
}

#[test]
fn nothing_that_is_typed_written_or_set_breaks_the_bounds() {
    for seed in 1..40 {
        let mut dice = Dice(seed);
        let mut terminal = lines();
        for _ in 0..400 {
            match dice.throw(8) {
                0 | 1 => {
                    let bytes = dice.bytes();
                    let room = terminal.room_to_type();
                    let taken = terminal.receive(&bytes).taken;
                    assert!(taken >= bytes.len().min(room) && taken <= bytes.len());
                }
                2 | 3 => {
                    let bytes = dice.bytes();
                    let room = terminal.room();
                    let taken = terminal.write(&bytes);
                    assert!(taken >= bytes.len().min(room) && taken <= bytes.len());
                }
                4 => {
                    let len = 1 + dice.throw(300);
                    let readable = terminal.is_readable();
                    let expired = dice.throw(2) == 0;
                    match terminal.read(len, expired) {
                        Read::Ready(bytes) => assert!(bytes.len() <= len),
                        Read::Wait | Read::Within { .. } => assert!(!readable || terminal.settings().characters[at::VTIME] != 0),
                    }
                }
                5 => assert!(terminal.take(100).len() <= 100),
                6 => {
                    let word = |dice: &mut Dice| dice.throw(1 << 16) as u32;
                    let mut settings = Settings { input: word(&mut dice), output: word(&mut dice), ..terminal.settings() };
                    settings.local = word(&mut dice);
                    settings.characters[dice.throw(19)] = dice.throw(256) as u8;
                    terminal.set(settings);
                }
                _ => terminal.set(Settings::default()),
            }
            assert!(terminal.queue.room() + terminal.queue.len() <= queue::CAPACITY);
            assert!(terminal.line.len() <= LINE_CAPACITY && terminal.output.len() <= OUTPUT_CAPACITY + ECHO_ROOM);
            assert!(terminal.line.is_empty() || terminal.settings.canonical());
            assert!(terminal.output.capacity() + terminal.line.capacity() <= COST);
        }
    }
}
