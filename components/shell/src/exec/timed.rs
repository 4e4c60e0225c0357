//! `time`.

use crate::ast::Pipeline;
use crate::shell::{Run, Shell};
use crate::sym;
use crate::sys;

impl Shell {
    pub(super) fn exec_timed(&mut self, pipeline: &Pipeline) -> Run {
        let (wall, before) = (sys::monotonic(), sys::times());
        let plain = Pipeline { timed: None, ..pipeline.clone() };
        let result = self.exec_whole(&plain);
        let (wall, after) = (sys::monotonic() - wall, sys::times());
        let user = (after.0 - before.0) + (after.1 - before.1);
        let format = match pipeline.timed {
            Some(true) => b"real %2R\nuser %2U\nsys %2S".to_vec(),
            _ => self.get(sym::TIMEFORMAT).unwrap_or_else(|| b"\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS".to_vec()),
        };
        if !format.is_empty() {
            match report(&format, wall, user) {
                Ok(mut text) => {
                    text.push(b'\n');
                    self.warn_raw(&text);
                }
                Err(letter) => self.error(format!("TIMEFORMAT: `{}': invalid format character", letter as char)),
            }
        }
        result
    }
}

/// Returns a report in the format `TIMEFORMAT`, from nanoseconds. The error is an invalid letter.
fn report(format: &[u8], wall: u64, user: u64) -> Result<Vec<u8>, u8> {
    let mut out = Vec::new();
    let mut bytes = format.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut precision = 3;
        if let Some(digit) = bytes.peek().copied().filter(u8::is_ascii_digit) {
            precision = usize::from(digit - b'0').min(3);
            bytes.next();
        }
        let long = bytes.peek() == Some(&b'l');
        if long {
            bytes.next();
        }
        let nanoseconds = match bytes.next() {
            None | Some(b'%') => {
                out.push(b'%');
                continue;
            }
            Some(b'P') => {
                let percent = if wall == 0 { 0.0 } else { user as f64 * 100.0 / wall as f64 };
                out.extend_from_slice(format!("{percent:.2}").as_bytes());
                continue;
            }
            Some(b'R') => wall,
            Some(b'U') => user,
            Some(b'S') => 0,
            Some(other) => return Err(other),
        };
        let milliseconds = nanoseconds / 1_000_000;
        let (minutes, seconds) = if long { (milliseconds / 60_000, milliseconds % 60_000) } else { (0, milliseconds) };
        let fraction = format!("{:03}", seconds % 1000);
        if long {
            out.extend_from_slice(format!("{minutes}m").as_bytes());
        }
        out.extend_from_slice((seconds / 1000).to_string().as_bytes());
        if precision > 0 {
            out.extend_from_slice(format!(".{}", &fraction[..precision]).as_bytes());
        }
        if long {
            out.push(b's');
        }
    }
    Ok(out)
}
