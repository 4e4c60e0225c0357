//! The numbers of `seq`: decimal and exact up to 38 digits, binary beyond that.

use wisp_tool::float;

/// A number, and its written form.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Number {
    value: Value,
    /// The sign; a zero has one too.
    negative: bool,
    /// The characters that it takes without an exponent.
    width: usize,
    /// The digits after the point; `None` for a hexadecimal fraction.
    precision: Option<usize>,
    /// The digits, if the number consists of digits only.
    plain: Option<String>,
}

/// The smallest power of ten, as in the long double of x86.
const SMALLEST: i64 = 4951;
/// The longest number that is printed.
const LONGEST: usize = u16::MAX as usize;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    /// An integer, and the number of decimal places in it.
    Exact(i128, u32),
    Binary(f64),
}

impl Default for Value {
    fn default() -> Self {
        Self::Exact(0, 0)
    }
}

impl Value {
    fn float(self) -> f64 {
        match self {
            Self::Exact(units, scale) => format!("{units}e-{scale}").parse().unwrap_or(f64::NAN),
            Self::Binary(value) => value,
        }
    }

    /// Returns both numbers with the same number of decimal places, if they are exact and fit.
    fn common(self, other: Self) -> Option<(i128, i128, u32)> {
        let (Self::Exact(a, with), Self::Exact(b, by)) = (self, other) else { return None };
        let scale = with.max(by);
        let raise = |units: i128, from: u32| units.checked_mul(10i128.checked_pow(scale - from)?);
        Some((raise(a, with)?, raise(b, by)?, scale))
    }
}

impl Number {
    /// Reads a whole word as a number, as C's strtold does.
    pub(super) fn read(word: &str) -> Option<Self> {
        let text = word.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
        let (negative, bare) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let shown = text.trim_start_matches('+');
        let plain = !negative && bare.bytes().all(|byte| byte.is_ascii_digit());
        let plain = plain.then(|| bare.trim_start_matches('0')).map(|digits| if digits.is_empty() { "0" } else { digits }.to_owned());
        let mut number = Self { negative, plain, ..Self::default() };
        if let Some(hex) = bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X")) {
            let value = float::hexadecimal(hex)?;
            let whole = !shown.contains(['.', 'p', 'P']);
            number.precision = whole.then_some(0);
            let exact = whole.then(|| i128::from_str_radix(hex, 16).ok()).flatten();
            number.value = exact.map_or(Value::Binary(value), |units| Value::Exact(units, 0)).signed(negative);
            return Some(number);
        }
        let lower = bare.to_ascii_lowercase();
        if ["inf", "infinity", "nan"].contains(&lower.as_str()) {
            number.value = Value::Binary(if lower == "nan" { f64::NAN } else { f64::INFINITY }).signed(negative);
            number.precision = Some(0);
            return Some(number);
        }
        let (mantissa, power) = lower.split_once('e').map_or((lower.as_str(), None), |(mantissa, power)| (mantissa, Some(power)));
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || whole.len() + part.len() == 0 {
            return None;
        }
        let power = match power {
            Some(power) if !digits(power.strip_prefix(['+', '-']).unwrap_or(power)) || power.ends_with(['+', '-']) || power.is_empty() => {
                return None;
            }
            Some(power) => power.parse::<i64>().unwrap_or(if power.starts_with('-') { i64::MIN } else { i64::MAX }),
            None => 0,
        };
        // Out of range: a number too near to zero becomes zero, one that is too large is refused.
        let zero = !whole.bytes().chain(part.bytes()).any(|digit| digit != b'0');
        let tiny = power < -SMALLEST;
        let value = if tiny {
            Value::Exact(0, 0)
        } else {
            exact(whole, part, power).unwrap_or_else(|| Value::Binary(lower.parse().unwrap_or(f64::INFINITY)))
        };
        if value == Value::Binary(f64::INFINITY) || zero && power > SMALLEST {
            return None;
        }
        number.value = value.signed(negative);
        if tiny {
            number.precision = Some(0);
            number.width = shown.find(['e', 'E']).unwrap_or(shown.len());
        } else {
            number.measure(shown, mantissa.contains('.'), whole.is_empty(), part.len(), power);
        }
        Some(number)
    }

    /// Measures the width of the printed number, as `seq -w` counts it.
    fn measure(&mut self, shown: &str, point: bool, bare_point: bool, fraction: usize, power: i64) {
        let size = usize::try_from(power.unsigned_abs()).unwrap_or(usize::MAX).min(1 << 20);
        let mut width = shown.find(['e', 'E']).unwrap_or(shown.len());
        let mut precision = fraction;
        width = if point && fraction == 0 { width - 1 } else { width + usize::from(point && bare_point) };
        if power < 0 {
            precision += size;
            // One more for the point that such a number gets.
            width += size + usize::from(fraction == 0);
        } else if shown.contains(['e', 'E']) {
            precision -= size.min(precision);
            width -= usize::from(point && precision == 0 && fraction > 0);
            width += size - size.min(fraction);
        }
        (self.width, self.precision) = (width.min(LONGEST), Some(precision.min(LONGEST)));
    }

    /// Returns whether it is NaN.
    pub(super) fn is_nan(&self) -> bool {
        matches!(self.value, Value::Binary(value) if value.is_nan())
    }

    /// Returns whether it is zero.
    pub(super) fn is_zero(&self) -> bool {
        matches!(self.value, Value::Exact(0, _)) || self.value == Value::Binary(0.0)
    }

    /// Returns whether it is negative.
    pub(super) fn is_negative(&self) -> bool {
        self.negative && !self.is_zero()
    }

    /// Returns whether it was written with digits alone.
    pub(super) fn is_natural(&self) -> bool {
        self.plain.is_some()
    }

    /// Returns its digits, if it was written with digits alone.
    pub(super) fn digits(&self) -> Vec<u8> {
        self.plain.clone().unwrap_or_default().into_bytes()
    }

    /// Returns whether it is greater than another.
    pub(super) fn above(&self, other: &Self) -> bool {
        match self.value.common(other.value) {
            Some((a, b, _)) => a > b,
            None => self.value.float() > other.value.float(),
        }
    }

    /// Returns whether it equals another.
    pub(super) fn equals(&self, other: &Self) -> bool {
        match self.value.common(other.value) {
            Some((a, b, _)) => a == b,
            None => self.value.float() == other.value.float(),
        }
    }

    /// Returns the number plus a number of steps.
    pub(super) fn plus(&self, step: &Self, count: u64) -> Self {
        let exact = self
            .value
            .common(step.value)
            .and_then(|(a, b, scale)| Some(Value::Exact(a.checked_add(b.checked_mul(i128::from(count))?)?, scale)));
        let value = exact.unwrap_or_else(|| Value::Binary(self.value.float() + step.value.float() * count as f64));
        let negative = match value {
            Value::Exact(units, _) => units < 0,
            Value::Binary(value) => value < 0.0,
        };
        Self { value, negative, ..Self::default() }
    }

    fn float(&self) -> f64 {
        let value = self.value.float().abs();
        if self.negative { -value } else { value }
    }

    fn fixed(&self, precision: usize) -> String {
        let sign = if self.negative { "-" } else { "" };
        match self.value {
            Value::Exact(units, scale) if scale as usize <= precision => {
                let digits = format!("{:0>width$}", units.unsigned_abs(), width = scale as usize + 1);
                let (whole, part) = digits.split_at(digits.len() - scale as usize);
                if precision == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part:0<precision$}") }
            }
            value => format!("{sign}{:.precision$}", value.float().abs()),
        }
    }
}

impl Value {
    fn signed(self, negative: bool) -> Self {
        match self {
            Self::Exact(units, scale) => Self::Exact(if negative { -units } else { units }, scale),
            Self::Binary(value) => Self::Binary(if negative { -value } else { value }),
        }
    }
}

fn exact(whole: &str, part: &str, power: i64) -> Option<Value> {
    let units: i128 = format!("0{whole}{part}").parse().ok()?;
    if units == 0 {
        return Some(Value::Exact(0, 0));
    }
    let scale = i64::try_from(part.len()).ok()?.checked_sub(power)?;
    match u32::try_from(scale) {
        Ok(scale) => (scale <= 38).then_some(Value::Exact(units, scale)),
        Err(_) => Some(Value::Exact(units.checked_mul(10i128.checked_pow(u32::try_from(-scale).ok()?)?)?, 0)),
    }
}

/// How numbers are printed.
pub(super) enum Shape {
    /// With a format.
    Given(Form),
    /// With a number of decimals, and a width.
    Fixed(usize, usize),
    /// As short as `%g` prints them.
    General,
}

impl Shape {
    /// Returns the shape that follows from the numbers themselves.
    pub(super) fn usual(first: &Number, step: &Number, last: &Number, wide: bool) -> Self {
        let (Some(of_first), Some(of_step), Some(of_last)) = (first.precision, step.precision, last.precision) else {
            return Self::General;
        };
        let precision = of_first.max(of_step);
        if !wide {
            return Self::Fixed(precision, 0);
        }
        let mut first_width = first.width + precision - of_first;
        let mut last_width = (last.width + precision).saturating_sub(of_last);
        if of_last > 0 && precision == 0 {
            last_width = last_width.saturating_sub(1);
        }
        last_width += usize::from(of_last == 0 && precision > 0);
        first_width += usize::from(of_first == 0 && precision > 0);
        Self::Fixed(precision, first_width.max(last_width).min(LONGEST))
    }

    /// Returns a number in this shape.
    pub(super) fn show(&self, number: &Number) -> String {
        match self {
            Self::Given(form) => form.show(number.float()),
            Self::Fixed(precision, width) => {
                let text = number.fixed(*precision);
                match text.strip_prefix('-') {
                    Some(digits) => format!("-{digits:0>rest$}", rest = width.saturating_sub(1)),
                    None => format!("{text:0>width$}"),
                }
            }
            Self::General => Form::GENERAL.show(number.float()),
        }
    }
}

/// A format with one directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    before: String,
    after: String,
    flags: String,
    width: usize,
    precision: Option<usize>,
    letter: u8,
}

impl Form {
    const GENERAL: Self =
        Self { before: String::new(), after: String::new(), flags: String::new(), width: 0, precision: None, letter: b'g' };

    /// Reads a format. The error is GNU's message.
    pub(super) fn read(format: &str) -> Result<Self, String> {
        let mut before = String::new();
        let mut rest = format;
        loop {
            let Some(at) = rest.find('%') else { return Err(format!("format '{format}' has no % directive")) };
            before += &rest[..at];
            rest = &rest[at + 1..];
            match rest.strip_prefix('%') {
                Some(tail) => (before, rest) = (before + "%", tail),
                None => break,
            }
        }
        let cut = |text: &mut &str, of: fn(char) -> bool| {
            let end = text.find(|c| !of(c)).unwrap_or(text.len());
            let (part, tail) = text.split_at(end);
            *text = tail;
            part.to_owned()
        };
        let flags = cut(&mut rest, |c| "-+#0 '".contains(c));
        let number = |digits: &str| digits.parse::<usize>().unwrap_or(LONGEST).min(LONGEST);
        let width = number(&format!("0{}", cut(&mut rest, |c| c.is_ascii_digit())));
        let mut precision = None;
        if let Some(tail) = rest.strip_prefix('.') {
            rest = tail;
            precision = Some(number(&format!("0{}", cut(&mut rest, |c| c.is_ascii_digit()))));
        }
        rest = rest.strip_prefix('L').unwrap_or(rest);
        let Some(letter) = rest.chars().next() else { return Err(format!("format '{format}' ends in %")) };
        if !"efgaEFGA".contains(letter) {
            return Err(format!("format '{format}' has unknown %{letter} directive"));
        }
        let after = rest[1..].replace("%%", "\0");
        if after.contains('%') {
            return Err(format!("format '{format}' has too many % directives"));
        }
        Ok(Self { before, after: after.replace('\0', "%"), flags, width, precision, letter: letter as u8 })
    }

    fn show(&self, value: f64) -> String {
        let has = |flag: char| self.flags.contains(flag);
        let sign = match value.is_sign_negative() {
            true => "-",
            false if has('+') => "+",
            false if has(' ') => " ",
            false => "",
        };
        let digits = float::text(value.abs(), self.letter, self.precision, has('#'));
        let missing = self.width.saturating_sub(sign.len() + digits.len());
        let body = if has('-') {
            format!("{sign}{digits}{}", " ".repeat(missing))
        } else if has('0') && value.is_finite() {
            // The zeros that pad a hexadecimal number follow its `0x`.
            let (mark, digits) =
                if digits.starts_with("0x") || digits.starts_with("0X") { digits.split_at(2) } else { ("", digits.as_str()) };
            format!("{sign}{mark}{}{digits}", "0".repeat(missing))
        } else {
            format!("{}{sign}{digits}", " ".repeat(missing))
        };
        format!("{}{body}{}", self.before, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_refused() {
        for word in ["", "x", "1e", "1e2.3", "0x", "0x-1", "--1", "1 ", ".", "1a", "1e+", "1e9999", "0e9999", "1e9223372036854775808"] {
            assert_eq!(Number::read(word), None, "{word}");
        }
        assert!(Number::read("NaN").unwrap().is_nan() && Number::read(" +5").is_some());
        assert!(Number::read("1e-9223372036854775809").unwrap().is_zero());
        assert!(Number::read("1").unwrap().above(&Number::read("-inf").unwrap()));
    }

    #[test]
    fn formats_are_read() {
        let show = |format: &str, value| Form::read(format).map(|form| form.show(value));
        assert_eq!(show("%%<%08.2f>%%", -1.5).as_deref(), Ok("%<-0001.50>%"));
        assert_eq!(show("%g", 1e6).as_deref(), Ok("1e+06"));
        assert_eq!(show("%010g", 1e6).as_deref(), Ok("000001e+06"));
        assert_eq!(show("%-6gx", 2.0).as_deref(), Ok("2     x"));
        assert_eq!(show("%E", 0.7).as_deref(), Ok("7.000000E-01"));
        for (format, why) in [
            ("abc", "has no % directive"),
            ("%%", "has no % directive"),
            ("%", "ends in %"),
            ("%5", "ends in %"),
            ("%5d", "has unknown %d directive"),
            ("%g%g", "has too many % directives"),
        ] {
            assert_eq!(show(format, 0.0), Err(format!("format '{format}' {why}")));
        }
    }
}
