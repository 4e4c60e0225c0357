//! Mapping of bytes, bounds of the queues, and the settings.

use super::tests::{lines, reads, reads_at_most, screen, types, with};
use super::*;

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
    terminal.flush(Flushed::Input);
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
