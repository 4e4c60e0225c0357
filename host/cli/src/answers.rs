//! Answers of the terminal to questions of programs (`ESC [ 6 n` and the like). They arrive as if they were typed: those that
//! come when the program has ended must not reach the person's shell.

use std::io::Write;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long a terminal may be silent before it counts as one that does not answer: it may be at the other end of the world.
pub(crate) const PATIENCE: Duration = Duration::from_millis(300);

/// How long answers may arrive at all: a program may have asked without end.
const LONGEST: Duration = Duration::from_secs(3);

/// Asks whether the terminal works. Every terminal answers in the order of the questions.
const QUESTION: &[u8] = b"\x1b[5n";

/// Asks the terminal a last question, and reads and discards what comes until it has answered: `expected` answers to the same
/// question of programs come first. Gives up after this time without a byte.
pub(crate) fn drain(out: &mut impl Write, typed: &impl AsFd, expected: u32, patience: Duration) {
    if out.write_all(QUESTION).and_then(|()| out.flush()).is_err() {
        return;
    }
    let (end, mut count, mut left) = (Instant::now() + LONGEST, Count::default(), u64::from(expected) + 1);
    let mut bytes = [0; 4096];
    while left > 0 && Instant::now() < end && is_readable(typed, patience) {
        match rustix::io::read(typed, &mut bytes) {
            Ok(read @ 1..) => left = left.saturating_sub(u64::from(count.push(&bytes[..read]))),
            Err(rustix::io::Errno::INTR) => {}
            // A terminal that is gone answers no more.
            _ => return,
        }
    }
}

/// Waits for a byte. An interrupted wait counts as one: the read then waits or fails.
fn is_readable(typed: &impl AsFd, patience: Duration) -> bool {
    let Ok(patience) = Timespec::try_from(patience) else { return false };
    loop {
        let mut asked = [PollFd::new(typed, PollFlags::IN)];
        match poll(&mut asked, Some(&patience)) {
            Ok(ready) => return ready > 0,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Counts answers to the question whether the terminal works among what is typed: `ESC [ 0 n`, or 3.
#[derive(Debug, Default)]
pub(crate) struct Count(usize);

impl Count {
    /// Counts the answers that end in these bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> u32 {
        let mut count = 0;
        for byte in bytes {
            self.0 = match (self.0, byte) {
                (_, 0x1b) => 1,
                (1, b'[') => 2,
                (2, b'0' | b'3') => 3,
                (3, b'n') => {
                    count += 1;
                    0
                }
                _ => 0,
            };
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    /// As long as no test takes.
    const EVER: Duration = Duration::from_secs(3_600);

    #[test]
    fn answers_are_counted_however_they_are_split() {
        let typed = b"\x1b[24;80Rls\x1b[0n\x1b[?64;1;2c\x1b\x1b[3n\x1b[5n0n\x1b[0";
        for at in 0..=typed.len() {
            let mut count = Count::default();
            assert_eq!(count.push(&typed[..at]) + count.push(&typed[at..]), 2, "cut at {at}");
        }
    }

    /// What is left of `typed` for the shell, after `expected` answers and the last one.
    fn left(typed: &[&[u8]], expected: u32) -> Vec<u8> {
        let ((reader, mut writer), (mut asked, mut ask)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // Only now, and one after the other.
                let mut question = [0; QUESTION.len()];
                asked.read_exact(&mut question).unwrap();
                assert_eq!(question, QUESTION);
                typed.iter().for_each(|part| writer.write_all(part).unwrap());
            });
            drain(&mut ask, &reader, expected, EVER);
        });
        let mut rest = Vec::new();
        { reader }.read_to_end(&mut rest).unwrap();
        rest
    }

    #[test]
    fn answers_that_come_after_the_program_has_ended_are_discarded() {
        for (typed, expected) in [
            (&[b"\x1b[24;80R".as_slice(), b"\x1b[?64;1;2c", b"\x1b[0n", b"\x1b[0n"][..], 1),
            (&[b"\x1b[0n\x1b[0n\x1b[0", b"n"], 2),
            (&[b"\x1b[0n"], 0),
            // Fewer than expected, and the terminal is gone.
            (&[b"\x1b[1;1R"], 7),
        ] {
            assert_eq!(left(typed, expected), b"", "{typed:?}");
        }
    }

    #[test]
    fn a_terminal_that_does_not_answer_is_not_waited_for() {
        let ((reader, _writer), (_asked, mut ask)) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
        drain(&mut ask, &reader, 0, Duration::ZERO);
        // Nor is one that is closed.
        let (_, mut closed) = std::io::pipe().unwrap();
        drain(&mut closed, &reader, 0, EVER);
    }
}
