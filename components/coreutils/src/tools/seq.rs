//! `seq`: prints a range of numbers, exact as they are written.

use super::numbers::{Form, Number, Shape};
use crate::options::{Line, Opt, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;
use std::io::{Result, Write};

const OPTIONS: &[Opt] = &[
    value("f", "format", "print numbers as printf does with VALUE: %a %e %f %g and their upper case"),
    value("s", "separator", "VALUE between numbers instead of a newline"),
    flag("w", "equal-width", "equal width, padded with zeros"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... LAST\n[OPTION]... FIRST LAST\n[OPTION]... FIRST INCREMENT LAST",
    about: "Print the numbers from FIRST (1) to LAST by steps of INCREMENT (1).",
    options: OPTIONS,
    stop_at_operand: true,
    ..Syntax::COMMON
};

/// Runs `seq`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let (options, operands) = args.split_at(negative(&args));
    SYNTAX.run(options, |args, mut line| {
        line.operands.extend_from_slice(operands);
        run(args, &line).unwrap_or_else(|status| status)
    })
}

fn run(args: &[OsString], line: &Line) -> std::result::Result<u8, u8> {
    match line.operands.as_slice() {
        [] => return Err(SYNTAX.misuse(args, "missing operand")),
        [_, _, _, extra, ..] => return Err(SYNTAX.misuse(args, &format!("extra operand {}", text::quote(extra)))),
        _ => {}
    }
    let given = line.last_text("format");
    let form = given.as_deref().map(Form::read).transpose().map_err(|message| {
        text::complain("seq", message);
        1
    })?;
    if form.is_some() && line.has("equal-width") {
        return Err(SYNTAX.misuse(args, "format string may not be specified when printing equal width strings"));
    }
    let mut numbers = Vec::new();
    for operand in &line.operands {
        let word = operand.to_string_lossy();
        let read = Number::read(&word).ok_or_else(|| format!("invalid floating point argument: {}", text::quote(operand)));
        let read = read.and_then(|number| {
            if number.is_nan() { Err(format!("invalid 'not-a-number' argument: {}", text::quote(operand))) } else { Ok(number) }
        });
        numbers.push(read.map_err(|message| SYNTAX.misuse(args, &message))?);
    }
    if numbers.len() == 3 && numbers[1].is_zero() {
        return Err(SYNTAX.misuse(args, &format!("invalid Zero increment value: {}", text::quote(&line.operands[1]))));
    }
    let one = Number::read("1").unwrap_or_default();
    let (first, step, last) = match numbers.as_slice() {
        [last] => (&one, &one, last),
        [first, last] => (first, &one, last),
        [first, step, last, ..] => (first, step, last),
        [] => return Ok(0),
    };
    let separator = line.last("separator").map_or(&b"\n"[..], |separator| separator.as_encoded_bytes());
    let mut out = text::output();
    let written = match form {
        None if !line.has("equal-width") && first.is_natural() && step.is_natural() && last.is_natural() => {
            naturals(&first.digits(), &step.digits(), &last.digits(), separator, &mut out)
        }
        form => {
            let shape = form.map_or_else(|| Shape::usual(first, step, last, line.has("equal-width")), Shape::Given);
            print(first, step, last, &shape, separator, &mut out)
        }
    };
    Ok(text::finish("seq", written.and_then(|()| out.flush())))
}

/// Returns the position of the first negative number: it and all that follow are operands.
fn negative(args: &[OsString]) -> usize {
    let number = |word: &[u8]| word.len() > 1 && word[0] == b'-' && (word[1].is_ascii_digit() || word[1] == b'.' || word[1] == b'i');
    let valued = |word: &OsString| matches!(word.to_str(), Some("-f" | "-s" | "-wf" | "-ws" | "--format" | "--separator"));
    (1..args.len()).find(|at| number(args[*at].as_encoded_bytes()) && !valued(&args[at - 1])).unwrap_or(args.len())
}

/// Prints whole numbers of any length, as decimal digits.
fn naturals(first: &[u8], step: &[u8], last: &[u8], separator: &[u8], out: &mut impl Write) -> Result<()> {
    let above = |a: &[u8], b: &[u8]| (a.len(), a) > (b.len(), b);
    let mut now = first.to_vec();
    if above(&now, last) {
        return Ok(());
    }
    loop {
        out.write_all(&now)?;
        add(&mut now, step);
        if above(&now, last) {
            return out.write_all(b"\n");
        }
        out.write_all(separator)?;
    }
}

/// Adds two numbers of decimal digits.
fn add(to: &mut Vec<u8>, what: &[u8]) {
    if to.len() < what.len() {
        to.splice(0..0, std::iter::repeat_n(b'0', what.len() - to.len()));
    }
    let mut carry = 0;
    for (back, digit) in to.iter_mut().rev().enumerate() {
        let other = what.len().checked_sub(back + 1).map_or(0, |at| what[at] - b'0');
        if other == 0 && carry == 0 && back >= what.len() {
            return;
        }
        let sum = *digit - b'0' + other + carry;
        carry = u8::from(sum > 9);
        *digit = b'0' + sum % 10;
    }
    if carry > 0 {
        to.insert(0, b'1');
    }
}

fn print(first: &Number, step: &Number, last: &Number, shape: &Shape, separator: &[u8], out: &mut impl Write) -> Result<()> {
    let down = step.is_negative();
    let mut now = first.clone();
    let mut count = 0u64;
    loop {
        // Every number comes before an infinite end.
        let (a, b) = if down { (last, &now) } else { (&now, last) };
        if a.above(b) {
            return if count == 0 { Ok(()) } else { out.write_all(b"\n") };
        }
        if count > 0 {
            out.write_all(separator)?;
        }
        out.write_all(shape.show(&now).as_bytes())?;
        count += 1;
        let next = first.plus(step, count);
        // If the gap between binary numbers is larger than the step, there is no next number.
        if next.equals(&now) {
            return out.write_all(b"\n");
        }
        now = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seq(words: &[&str], wide: bool) -> String {
        let numbers: Vec<Number> = words.iter().map(|word| Number::read(word).unwrap()).collect();
        let mut out = Vec::new();
        let shape = Shape::usual(&numbers[0], &numbers[1], &numbers[2], wide);
        print(&numbers[0], &numbers[1], &numbers[2], &shape, b",", &mut out).unwrap();
        String::from_utf8(out).unwrap().trim_end().to_owned()
    }

    #[test]
    fn numbers_are_exact() {
        assert_eq!(seq(&["0", "0.1", "0.5"], false), "0.0,0.1,0.2,0.3,0.4,0.5");
        assert_eq!(seq(&["5", "-2", "1"], false), "5,3,1");
        assert_eq!(seq(&["1", "1", "0"], false), "");
        assert_eq!(seq(&["-0", "1", "1"], false), "-0,1");
        assert_eq!(seq(&["1", "-1", "-0"], false), "1,0");
        assert_eq!(seq(&["1e1", "5", "2e1"], false), "10,15,20");
        assert_eq!(seq(&["1", "0x1p-1", "2"], false), "1,1.5,2");
        assert_eq!(seq(&["170141183460469231731687303715884105726", "1", "170141183460469231731687303715884105727"], true).len(), 79);
    }

    #[test]
    fn widths_are_equal() {
        assert_eq!(seq(&["8", "1", "10"], true), "08,09,10");
        assert_eq!(seq(&["-.1", ".1", ".11"], true), "-0.1,00.0,00.1");
        assert_eq!(seq(&["-1e-3", "1", "1"], true), "-0.001,00.999");
        assert_eq!(seq(&["9.0", "1", "10.0"], true), "09.0,10.0");
        assert_eq!(seq(&["-0.000e5", "1", "1"], true), "-000000,0000001");
    }

    #[test]
    fn whole_numbers_may_be_long() {
        let naturals = |first: &str, step: &str, last: &str| {
            let mut out = Vec::new();
            naturals(first.as_bytes(), step.as_bytes(), last.as_bytes(), b" ", &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(naturals("8", "1", "11"), "8 9 10 11\n");
        assert_eq!(naturals("1", "1", "0"), "");
        assert_eq!(naturals("5", "100", "310"), "5 105 205 305\n");
        assert_eq!(naturals("99999999999999999999999999999999999999999", "2", "100000000000000000000000000000000000000002").len(), 85);
    }
}
