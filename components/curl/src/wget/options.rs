//! The command line.

use super::table::TABLE;
use crate::http::payload::Payload;
use crate::options::{Entry, Missing, by_short, still_verified};
use std::time::Duration;

/// The verbosity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Talk {
    Quiet,
    Short,
    #[default]
    Long,
}

/// The settings from the command line.
pub(super) struct Options {
    pub urls: Vec<String>,
    pub lists: Vec<String>,
    pub talk: Talk,
    pub log: Option<(String, bool)>,
    pub document: Option<String>,
    pub prefix: Option<String>,
    pub resume: bool,
    pub start: Option<u64>,
    pub keep: bool,
    pub timestamping: bool,
    pub server_times: bool,
    pub show_headers: bool,
    pub headers: Vec<String>,
    pub agent: Option<String>,
    pub referer: Option<String>,
    pub method: Option<String>,
    pub payload: Option<Payload>,
    pub posts: bool,
    pub user: Option<String>,
    pub password: Option<String>,
    pub credentials_first: bool,
    pub tries: u64,
    pub wait: Duration,
    pub wait_retry: u64,
    pub timeout: Option<Duration>,
    pub connect_timeout: Option<Duration>,
    pub retry_refused: bool,
    pub retry_unresolved: bool,
    pub retry_statuses: Vec<u16>,
    pub spider: bool,
    pub max_redirect: u64,
    pub disposition: bool,
    pub content_on_error: bool,
    pub compression: bool,
    pub cookies: bool,
    pub load_cookies: Option<String>,
    pub save_cookies: Option<String>,
    pub session_cookies: bool,
    pub server_names: bool,
    pub no_cache: bool,
    pub https_only: bool,
    pub rate: Option<f64>,
    pub help: bool,
    pub version: bool,
    pub warnings: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            urls: Vec::new(),
            lists: Vec::new(),
            talk: Talk::Long,
            log: None,
            document: None,
            prefix: None,
            resume: false,
            start: None,
            keep: false,
            timestamping: false,
            server_times: true,
            show_headers: false,
            headers: Vec::new(),
            agent: None,
            referer: None,
            method: None,
            payload: None,
            posts: false,
            user: None,
            password: None,
            credentials_first: false,
            tries: 20,
            wait: Duration::ZERO,
            wait_retry: 10,
            timeout: Some(Duration::from_secs(900)),
            connect_timeout: None,
            retry_refused: false,
            retry_unresolved: false,
            retry_statuses: Vec::new(),
            spider: false,
            max_redirect: 20,
            disposition: false,
            content_on_error: false,
            compression: false,
            cookies: true,
            load_cookies: None,
            save_cookies: None,
            session_cookies: false,
            server_names: false,
            no_cache: false,
            https_only: false,
            rate: None,
            help: false,
            version: false,
            warnings: Vec::new(),
        }
    }
}

/// Reads the arguments.
pub(super) fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    let mut only_urls = false;
    while let Some(word) = rest.next() {
        if only_urls || !word.starts_with('-') || word == "-" {
            options.urls.push(word.clone());
        } else if word == "--" {
            only_urls = true;
        } else if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value.to_owned())));
            let (found, on) = match (by_long(name), name.strip_prefix("no-")) {
                (Ok(found), _) => (found, true),
                (Err(_), Some(positive)) => (by_long(positive).map_err(|what| format!("{what} '--{name}'"))?, false),
                (Err(what), None) => return Err(format!("{what} '--{name}'")),
            };
            let value = match (found.2.takes_value(), value) {
                (true, None) => Some(rest.next().cloned().ok_or_else(|| format!("option '--{name}' requires an argument"))?),
                (false, Some(_)) => return Err(format!("option '--{name}' doesn't allow an argument")),
                (_, value) => value,
            };
            options.set(found, value.unwrap_or_default(), on, word)?;
        } else {
            options.shorts(&word[1..], &mut rest)?;
        }
    }
    Ok(options)
}

fn by_long(name: &str) -> Result<&'static Entry, &'static str> {
    crate::options::by_long(TABLE, name).map_err(|why| match why {
        Missing::Ambiguous => "ambiguous option",
        Missing::Unknown => "unrecognized option",
    })
}

impl Options {
    /// Reads a word of short options; `nc` and similar ones have two letters.
    fn shorts(&mut self, word: &str, rest: &mut std::slice::Iter<String>) -> Result<(), String> {
        let mut left = word;
        while let Some(letter) = left.chars().next() {
            let length = if letter == 'n' { 2 } else { letter.len_utf8() };
            let name = left.get(..length).ok_or_else(|| format!("invalid option -- '{letter}'"))?;
            let found = by_short(TABLE, name).ok_or_else(|| format!("invalid option -- '{letter}'"))?;
            left = &left[length..];
            let mut value = String::new();
            if found.2.takes_value() {
                value = match left.is_empty() {
                    true => rest.next().cloned().ok_or_else(|| format!("option requires an argument -- '{letter}'"))?,
                    false => left.to_owned(),
                };
                left = "";
            }
            self.set(found, value, true, &format!("-{name}"))?;
        }
        Ok(())
    }

    fn set(&mut self, (_, name, kind): &Entry, value: String, on: bool, spelled: &str) -> Result<(), String> {
        if !kind.has_effect(on).map_err(|why| format!("{spelled} is {why}"))? {
            return Ok(());
        }
        let bad = || format!("{spelled}: invalid value '{value}'");
        let seconds = || value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(bad);
        let limit = || seconds().map(|limit| Some(limit).filter(|limit| !limit.is_zero()));
        match *name {
            "append-output" => self.log = Some((value, true)),
            "auth-no-challenge" => self.credentials_first = on,
            "body-data" | "post-data" => {
                let mut payload = Payload::default();
                payload.push(&value);
                self.payload = Some(payload);
                self.posts |= *name == "post-data";
            }
            "body-file" | "post-file" => {
                let mut payload = Payload::default();
                payload.push_file(&value, 0).map_err(|error| format!("{value}: {}", wisp_tool::text::reason(&error)))?;
                self.payload = Some(payload);
                self.posts |= *name == "post-file";
            }
            "cache" => self.no_cache = !on,
            "check-certificate" if !on => {
                self.warnings.push(still_verified(spelled));
            }
            "check-certificate" | "proxy" => {}
            "clobber" => self.keep = !on,
            "compression" => self.compression = value != "none",
            "connect-timeout" | "dns-timeout" => self.connect_timeout = limit()?,
            "content-disposition" => self.disposition = on,
            "content-on-error" => self.content_on_error = on,
            "continue" => self.resume = on,
            "cookies" => self.cookies = on,
            "directory-prefix" => self.prefix = Some(value),
            "header" => self.headers.push(value),
            "help" => self.help = true,
            "http-password" | "password" => self.password = Some(value),
            "http-user" | "user" => self.user = Some(value),
            "https-only" => self.https_only = on,
            "input-file" => self.lists.push(value),
            "keep-session-cookies" => self.session_cookies = on,
            "limit-rate" => {
                let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                let unit = if value.to_ascii_lowercase().ends_with('k') {
                    1024.0
                } else if value.to_ascii_lowercase().ends_with('m') {
                    1_048_576.0
                } else {
                    1.0
                };
                self.rate = Some(digits.parse::<f64>().map_err(|_| bad())? * unit).filter(|rate| *rate > 0.0);
            }
            "load-cookies" => self.load_cookies = Some(value),
            "max-redirect" => self.max_redirect = value.parse().map_err(|_| bad())?,
            "method" => self.method = Some(value.to_uppercase()),
            "no-clobber" => self.keep = on,
            "no-verbose" => self.talk = Talk::Short,
            "output-document" => self.document = Some(value),
            "output-file" => self.log = Some((value, false)),
            "quiet" => self.talk = Talk::Quiet,
            "read-timeout" => self.timeout = limit()?,
            "referer" => self.referer = Some(value),
            "retry-connrefused" => self.retry_refused = on,
            "retry-on-host-error" => self.retry_unresolved = on,
            "retry-on-http-error" => self.retry_statuses = value.split(',').filter_map(|status| status.trim().parse().ok()).collect(),
            "save-cookies" => self.save_cookies = Some(value),
            "server-response" => self.show_headers = on,
            "spider" => self.spider = on,
            "start-pos" => self.start = Some(value.parse().map_err(|_| bad())?),
            "timeout" => (self.timeout, self.connect_timeout) = (limit()?, limit()?),
            "timestamping" => self.timestamping = on,
            "tries" => self.tries = if value == "inf" || value == "0" { u64::MAX } else { value.parse().map_err(|_| bad())? },
            "trust-server-names" => self.server_names = on,
            "use-server-timestamps" => self.server_times = on,
            "user-agent" => self.agent = Some(value),
            "verbose" => self.talk = if on { Talk::Long } else { Talk::Short },
            "version" => self.version = true,
            "wait" => self.wait = seconds()?,
            "waitretry" => self.wait_retry = value.parse().map_err(|_| bad())?,
            _ => return Err(format!("unrecognized option '{spelled}'")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Options, String> {
        parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn lines_as_agents_type_them() {
        let options = parsed("-qO- -nc --tries=3 -T 5 --header=A:b http://h/ --no-check-certificate --no-verb").expect("they are options");
        assert_eq!((options.document.as_deref(), options.tries, options.keep), (Some("-"), 3, true));
        assert_eq!((options.talk, options.timeout, options.warnings.len()), (Talk::Short, Some(Duration::from_secs(5)), 1));
        assert_eq!(options.urls, ["http://h/"]);
    }

    #[test]
    fn mistakes() {
        assert_eq!(parsed("--foo").err().as_deref(), Some("unrecognized option '--foo'"));
        assert_eq!(parsed("-O").err().as_deref(), Some("option requires an argument -- 'O'"));
        assert_eq!(parsed("--re=1").err().as_deref(), Some("ambiguous option '--re'"));
        assert!(parsed("-r http://h").err().is_some_and(|text| text.contains("-i")));
        assert!(parsed("-qm").err().is_some_and(|text| text.starts_with("-m is refused by wisp")));
    }
}
