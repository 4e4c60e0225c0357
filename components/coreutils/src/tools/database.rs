//! `getent` and `locale`: print the lists in `/etc`, and the locale of the environment.

use crate::options::{Line, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;

const GETENT: Syntax = Syntax {
    usage: "DATABASE [KEY]...",
    about: "Print lines of /etc/DATABASE: all, or those of each KEY. Databases: passwd, group, hosts, ahosts, services, protocols, networks.\nNames of other machines are not looked up. Status 1: no such database; 2: a KEY does not exist.",
    options: &[value("s", "service", ""), flag("i", "no-idn", "")],
    letters: ("?", "V"),
    ..Syntax::COMMON
};

/// Runs `getent`.
pub(crate) fn getent(args: Vec<OsString>) -> u8 {
    GETENT.run(&args, run_getent)
}

fn run_getent(args: &[OsString], line: Line) -> u8 {
    let words: Vec<String> = line.operands.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let Some((database, keys)) = words.split_first() else { return GETENT.misuse(args, "wrong number of arguments") };
    let file = match database.as_str() {
        "passwd" | "group" | "hosts" | "services" | "protocols" | "networks" => database.as_str(),
        "ahosts" | "ahostsv4" | "ahostsv6" => "hosts",
        _ => {
            eprintln!("Unknown database: {database}\nTry 'getent --help' for more information.");
            return 1;
        }
    };
    let content = std::fs::read_to_string(format!("/etc/{file}")).unwrap_or_default();
    let lines: Vec<&str> = content.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    let by_colon = matches!(file, "passwd" | "group");
    let has = |line: &str, key: &str| {
        if by_colon {
            let mut fields = line.split(':');
            fields.next() == Some(key) || fields.nth(1) == Some(key)
        } else {
            line.split('#').next().unwrap_or_default().split_whitespace().any(|word| word == key)
        }
    };
    let show = |line: &str| match by_colon {
        true => println!("{line}"),
        // The address has its own column.
        false => match line.split_once(char::is_whitespace) {
            Some((first, rest)) => println!("{first:<15} {}", rest.split_whitespace().collect::<Vec<_>>().join(" ")),
            None => println!("{line}"),
        },
    };
    if keys.is_empty() {
        lines.iter().for_each(|line| show(line));
        return 0;
    }
    let mut status = 0;
    for key in keys {
        match lines.iter().find(|line| has(line, key)) {
            Some(line) => show(line),
            None => status = 2,
        }
    }
    status
}

const LOCALE: Syntax = Syntax {
    usage: "[-a|-m]\n[-ck] NAME...",
    about: "Print the locale that the environment chooses, or one of its settings (charmap, decimal_point, day, mon, …). The locales are C, C.UTF-8 and POSIX.",
    options: &[
        flag("a", "all-locales", "the available locales"),
        flag("m", "charmaps", "the available character sets"),
        flag("c", "category-name", "the category too"),
        flag("k", "keyword-name", "the name too"),
    ],
    letters: ("?", "V"),
    ..Syntax::COMMON
};

const CATEGORIES: [&str; 12] = [
    "LC_CTYPE",
    "LC_NUMERIC",
    "LC_TIME",
    "LC_COLLATE",
    "LC_MONETARY",
    "LC_MESSAGES",
    "LC_PAPER",
    "LC_NAME",
    "LC_ADDRESS",
    "LC_TELEPHONE",
    "LC_MEASUREMENT",
    "LC_IDENTIFICATION",
];

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Runs `locale`.
pub(crate) fn locale(args: Vec<OsString>) -> u8 {
    LOCALE.run(&args, run_locale)
}

fn run_locale(_: &[OsString], line: Line) -> u8 {
    if line.has("all-locales") {
        println!("C\nC.utf8\nPOSIX");
        return 0;
    }
    if line.has("charmaps") {
        println!("ANSI_X3.4-1968\nUTF-8");
        return 0;
    }
    let (all, lang) = (variable("LC_ALL"), variable("LANG"));
    if line.operands.is_empty() {
        println!("LANG={}\nLANGUAGE={}", lang.clone().unwrap_or_default(), variable("LANGUAGE").unwrap_or_default());
        for category in CATEGORIES {
            // The value has quotes if it does not come from the variable itself.
            match (&all, variable(category)) {
                (None, Some(own)) => println!("{category}={own}"),
                (all, _) => println!("{category}=\"{}\"", all.clone().or_else(|| lang.clone()).unwrap_or_else(|| "POSIX".into())),
            }
        }
        println!("LC_ALL={}", all.unwrap_or_default());
        return 0;
    }
    let mut status = 0;
    for name in &line.operands {
        let name = name.to_string_lossy();
        let (category, value, is_text) = match name.as_ref() {
            "charmap" => ("LC_CTYPE", charmap(all.clone().or_else(|| variable("LC_CTYPE")).or_else(|| lang.clone())), true),
            "decimal_point" => ("LC_NUMERIC", ".".to_owned(), true),
            "thousands_sep" => ("LC_NUMERIC", String::new(), true),
            "grouping" => ("LC_NUMERIC", "-1".into(), false),
            "day" => ("LC_TIME", "Sunday;Monday;Tuesday;Wednesday;Thursday;Friday;Saturday".into(), true),
            "abday" => ("LC_TIME", "Sun;Mon;Tue;Wed;Thu;Fri;Sat".into(), true),
            "mon" => ("LC_TIME", wisp_tool::calendar::MONTHS.join(";"), true),
            "abmon" => ("LC_TIME", wisp_tool::calendar::MONTHS.map(|month| &month[..3]).join(";"), true),
            "am_pm" => ("LC_TIME", "AM;PM".into(), true),
            "d_t_fmt" => ("LC_TIME", "%a %b %e %H:%M:%S %Y".into(), true),
            "d_fmt" => ("LC_TIME", "%m/%d/%y".into(), true),
            "t_fmt" => ("LC_TIME", "%H:%M:%S".into(), true),
            "t_fmt_ampm" => ("LC_TIME", "%I:%M:%S %p".into(), true),
            "yesexpr" => ("LC_MESSAGES", "^[yY]".into(), true),
            "noexpr" => ("LC_MESSAGES", "^[nN]".into(), true),
            _ => {
                text::complain("locale", format!("unknown name \"{name}\""));
                status = 1;
                continue;
            }
        };
        if line.has("category-name") {
            println!("{category}");
        }
        match (line.has("keyword-name"), is_text) {
            (true, true) => println!("{name}=\"{value}\""),
            (true, false) => println!("{name}={value}"),
            _ => println!("{value}"),
        }
    }
    status
}

fn charmap(locale: Option<String>) -> String {
    let upper = locale.unwrap_or_default().to_ascii_uppercase();
    if upper.ends_with("UTF-8") || upper.ends_with("UTF8") { "UTF-8".into() } else { "ANSI_X3.4-1968".into() }
}
