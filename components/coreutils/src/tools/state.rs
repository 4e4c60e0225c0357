//! `free` and `uptime`: print `/proc/meminfo`, `/proc/uptime` and `/proc/loadavg` in the layout of procps.

use crate::options::{Line, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Result};
use wisp_tool::calendar::{Civil, Offset, strftime};

const FREE: Syntax = Syntax {
    usage: "[OPTION]...",
    about: "Print how much memory there is (the policy's limits.memory) and how much of it the session's processes use.",
    options: &[
        flag("b", "bytes", "in bytes"),
        flag("k", "kibi", "in units of 1024 bytes (default)"),
        flag("m", "mebi", "in units of 1 MiB"),
        flag("g", "gibi", "in units of 1 GiB"),
        flag("", "tebi", ""),
        flag("", "kilo", "in units of 1000 bytes"),
        flag("", "mega", "in units of 1000 kB"),
        flag("", "giga", "in units of 1000 MB"),
        flag("h", "human", "sizes such as 1.5Mi 23Gi"),
        flag("", "si", "powers of 1000, not of 1024"),
        flag("l", "lohi", ""),
        flag("t", "total", "a line with the sums"),
        flag("w", "wide", "buffers and cache in columns of their own"),
        flag("v", "committed", ""),
    ],
    letters: ("", "V"),
    ..Syntax::COMMON
};

/// Returns the first words of a file of `/proc`.
fn words(file: &str) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(file).map_err(|error| Error::new(error.kind(), format!("{file}: {}", text::reason(&error))))?;
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// Returns a value of `/proc/meminfo`, in kilobytes, by its name.
fn memory() -> Result<impl Fn(&str) -> u64> {
    let words = words("/proc/meminfo")?;
    Ok(move |name: &str| {
        let at = words.iter().position(|word| word.strip_suffix(':') == Some(name));
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(0)
    })
}

/// Returns a size as short as `free -h` prints it.
fn human(bytes: u64, base: u64) -> String {
    let (mut value, mut unit) = (bytes as f64, 0);
    let units = ["B", "K", "M", "G", "T", "P", "E"];
    while value >= base as f64 && unit + 1 < units.len() {
        value /= base as f64;
        unit += 1;
    }
    let ending = if unit > 0 && base == 1024 { "i" } else { "" };
    if unit > 0 && value < 10.0 { format!("{value:.1}{}{ending}", units[unit]) } else { format!("{}{}{ending}", value as u64, units[unit]) }
}

/// Runs `free`.
pub(crate) fn free(args: Vec<OsString>) -> u8 {
    FREE.run(&args, run_free)
}

fn run_free(args: &[OsString], line: Line) -> u8 {
    if let Some(extra) = line.operands.first() {
        return FREE.misuse(args, &format!("extra operand {}", text::quote(extra)));
    }
    let of = match memory() {
        Ok(of) => of,
        Err(error) => {
            text::complain("free", error);
            return 1;
        }
    };
    let base: u64 = if line.has("si") { 1000 } else { 1024 };
    let unit = match line.last_of(&["bytes", "kibi", "mebi", "gibi", "tebi", "kilo", "mega", "giga"]) {
        Some("bytes") => 1,
        Some("mebi") => base.pow(2),
        Some("gibi") => base.pow(3),
        Some("tebi") => base.pow(4),
        Some("kilo") => 1000,
        Some("mega") => 1000_u64.pow(2),
        Some("giga") => 1000_u64.pow(3),
        _ => base,
    };
    let shown = |kilobytes: u64| {
        let bytes = kilobytes * 1024;
        if line.has("human") { human(bytes, base) } else { (bytes / unit).to_string() }
    };
    let (total, left, available) = (of("MemTotal"), of("MemFree"), of("MemAvailable"));
    let (buffers, cache) = (of("Buffers"), of("Cached") + of("SReclaimable"));
    let used = total.saturating_sub(available);
    let (swap, swap_left) = (of("SwapTotal"), of("SwapFree"));
    let cached = if line.has("wide") { vec![buffers, cache] } else { vec![buffers + cache] };
    let names: &[&str] = if line.has("wide") { &["buffers", "cache"] } else { &["buff/cache"] };
    let heads = ["total", "used", "free", "shared"].iter().chain(names).chain(&["available"]);
    let columns = |words: Vec<String>| words.iter().map(|word| format!("{word:>12}")).collect::<String>();
    let row = |name: &str, values: &[u64]| println!("{name:<8}{}", columns(values.iter().map(|value| shown(*value)).collect()));
    println!("        {}", columns(heads.map(|head| (*head).to_owned()).collect()));
    row("Mem:", &[&[total, used, left, of("Shmem")], &cached[..], &[available]].concat());
    row("Swap:", &[swap, swap - swap_left.min(swap), swap_left]);
    if line.has("total") {
        row("Total:", &[total + swap, used + swap - swap_left.min(swap), left + swap_left]);
    }
    0
}

const UPTIME: Syntax = Syntax {
    usage: "[OPTION]",
    about: "Print how long the session has existed, and how many processes it runs (three times, because averages are not measured).",
    options: &[flag("p", "pretty", "in words"), flag("s", "since", "when it began"), value("c", "container", "")],
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Runs `uptime`.
pub(crate) fn uptime(args: Vec<OsString>) -> u8 {
    UPTIME.run(&args, run_uptime)
}

fn run_uptime(_: &[OsString], line: Line) -> u8 {
    match up(line.last_of(&["pretty", "since"])) {
        Ok(text) => {
            println!("{text}");
            0
        }
        Err(error) => {
            text::complain("uptime", error);
            1
        }
    }
}

fn up(form: Option<&str>) -> Result<String> {
    let broken = |file: &str| Error::new(ErrorKind::InvalidData, format!("{file}: it has no numbers"));
    let seconds: f64 = words("/proc/uptime")?.first().and_then(|word| word.parse().ok()).ok_or_else(|| broken("/proc/uptime"))?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |passed| passed.as_secs_f64());
    let local = |format: &[u8], moment: i64| {
        let offset = Offset::local(std::env::var("TZ").ok().as_deref(), moment);
        String::from_utf8_lossy(&strftime(format, &Civil::at(moment + offset.seconds), offset.zone())).into_owned()
    };
    match form {
        Some("pretty") => return Ok(format!("up {}", pretty(seconds as u64))),
        Some(_) => return Ok(local(b"%Y-%m-%d %H:%M:%S", (now - seconds).round() as i64)),
        None => {}
    }
    let load = words("/proc/loadavg")?;
    let load = load.get(..3).ok_or_else(|| broken("/proc/loadavg"))?.join(", ");
    Ok(format!(" {} up {},  1 user,  load average: {load}", local(b"%H:%M:%S", now as i64), plain(seconds as u64)))
}

/// Returns `3 days,  2:05`, `5 min`.
fn plain(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60 % 60, seconds / 3600 % 24, seconds / 86_400);
    let days = match days {
        0 => String::new(),
        1 => "1 day, ".to_owned(),
        days => format!("{days} days, "),
    };
    if hours > 0 { format!("{days}{hours:>2}:{minutes:02}") } else { format!("{days}{minutes} min") }
}

/// Returns `2 hours, 1 minute`.
fn pretty(seconds: u64) -> String {
    let counts = [(seconds / 604_800, "week"), (seconds / 86_400 % 7, "day"), (seconds / 3600 % 24, "hour"), (seconds / 60 % 60, "minute")];
    let words: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}{}", if *count == 1 { "" } else { "s" }))
        .collect();
    if words.is_empty() { "0 minutes".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::{human, plain, pretty};

    #[test]
    fn sizes_are_short() {
        assert_eq!([0, 1023, 1024, 268_435_456, 1_932_735_284].map(|bytes| human(bytes, 1024)), ["0B", "1023B", "1.0Ki", "256Mi", "1.8Gi"]);
        assert_eq!(human(1_500_000, 1000), "1.5M");
    }

    #[test]
    fn times_are_in_the_words_of_procps() {
        assert_eq!((plain(59), plain(7_500), plain(90_060)), ("0 min".into(), " 2:05".into(), "1 day,  1:01".into()));
        assert_eq!((pretty(7_260), pretty(3)), ("2 hours, 1 minute".into(), "0 minutes".into()));
    }
}
