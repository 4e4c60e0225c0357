//! Fetches URLs: tries, redirects, and the body into its file.

use super::Status;
use super::log::Log;
use super::options::Options;
use super::request::{self, Hop};
use super::save::{self, Saved};
use crate::http::{Failure, Limits, NOBODY_LISTENS, Request, Response, cookies::Jar, date, phrase, send};
use crate::url::{Bad, Url};
use std::fs;
use std::time::{Duration, Instant};

/// The state that lasts from URL to URL.
pub(super) struct Wget<'a> {
    pub options: &'a Options,
    pub log: &'a Log,
    pub jar: Jar,
    pub document: Option<Saved>,
    pub files: u64,
    pub bytes: u64,
}

/// How a try ended.
pub(super) enum End {
    Done(Status),
    /// The next try may succeed.
    Again(Status),
}

impl<'a> Wget<'a> {
    /// Opens the files that are written from the start, and loads the cookies.
    pub(super) fn new(options: &'a Options, log: &'a Log) -> Result<Self, Status> {
        let document = match options.document.as_deref() {
            Some("-") => Some(Saved::stdout()),
            Some(path) => Some(Saved::document(path, options.resume || options.start.is_some()).map_err(|error| {
                log.say(&format!("{path}: {}\n", wisp_tool::text::reason(&error)));
                Status::Other
            })?),
            None => None,
        };
        let mut jar = Jar::default();
        if let Some(path) = &options.load_cookies {
            match fs::read_to_string(path) {
                Ok(text) => jar.load(&text, false),
                Err(error) => log.say(&format!("Cannot open cookies file ‘{path}’: {}\n", wisp_tool::text::reason(&error))),
            }
        }
        Ok(Wget { options, log, jar, document, files: 0, bytes: 0 })
    }

    /// Fetches one URL, with as many tries as necessary.
    pub(super) fn one(&mut self, text: &str) -> Status {
        let url = match Url::parse(text, false) {
            Ok(url) => url,
            Err(bad) => {
                let what = match bad {
                    Bad::Scheme(scheme) => format!("Unsupported scheme ‘{scheme}’"),
                    Bad::Port => "Bad port number".into(),
                    Bad::Host | Bad::Malformed => "Invalid host name".into(),
                };
                self.log.say(&format!("{text}: {what}.\n"));
                return Status::Other;
            }
        };
        if self.options.https_only && url.scheme != "https" {
            self.log.say(&format!("{text}: it is not HTTPS, and --https-only was given.\n"));
            return Status::Other;
        }
        let plain = save::name_of(self.options, &url, None);
        if self.options.keep && self.document.is_none() && fs::exists(&plain).unwrap_or(false) {
            self.log.long(&format!("File ‘{plain}’ already there; not retrieving.\n\n"));
            return Status::Well;
        }
        if self.options.spider {
            self.log.long("Spider mode enabled. Check if remote file exists.\n");
        }
        let mut partial = None;
        for number in 1.. {
            let again = if number > 1 { format!("(try:{number:2}) ") } else { String::new() };
            match self.attempt(&url, &plain, &again, &mut partial) {
                End::Done(status) => return status,
                End::Again(status) if number >= self.options.tries => {
                    if self.options.tries > 1 {
                        self.log.say("Giving up.\n\n");
                    }
                    return status;
                }
                End::Again(_) => {
                    self.log.long("Retrying.\n\n");
                    std::thread::sleep(Duration::from_secs(number.min(self.options.wait_retry)));
                }
            }
        }
        Status::Other
    }

    /// Makes one attempt: follows redirects and downloads the body.
    fn attempt(&mut self, first: &Url, plain: &str, again: &str, partial: &mut Option<String>) -> End {
        let there = |name: &str| fs::metadata(name).map_or(0, |facts| facts.len());
        let target = self.options.document.as_deref().unwrap_or(plain);
        let from = match (&*partial, self.options.start) {
            (Some(name), _) => there(name),
            (None, Some(start)) => start,
            (None, None) if self.options.resume && target != "-" => there(target),
            _ => 0,
        };
        let since = fs::metadata(plain).ok().filter(|_| self.options.timestamping).and_then(|facts| facts.modified().ok());
        let since = since.map(|time| time.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64));
        let mut hop = Hop {
            url: first.clone(),
            method: request::method(self.options),
            sends: self.options.payload.is_some(),
            login: self.options.credentials_first,
            own: true,
            from,
            since,
        };
        let mut redirects = 0;
        loop {
            self.log.long(&format!("--{}--  {again}{}\n", date::plain(date::now()), shown(&hop.url)));
            let response = match self.ask(&hop) {
                Ok(response) => response,
                Err(end) => return end,
            };
            if self.options.cookies {
                self.jar.take(&hop.url, &response.headers);
            }
            if response.status == 401 && !hop.login && hop.own && request::credentials(self.options, &hop.url).is_some() {
                self.log.long("Authentication selected: Basic\n");
                hop.login = true;
                continue;
            }
            let location = response.headers.get("location").filter(|_| [301, 302, 303, 307, 308].contains(&response.status));
            let Some(location) = location else { return self.answered(&hop, first, response, partial) };
            redirects += 1;
            if redirects > self.options.max_redirect {
                self.log.say(&format!("{} redirections exceeded.\n", self.options.max_redirect));
                return End::Done(Status::Server);
            }
            self.log.long(&format!("Location: {location} [following]\n"));
            let Ok(url) = hop.url.join(&location, false) else {
                self.log.say(&format!("{location}: Unsupported scheme or invalid URL.\n"));
                return End::Done(Status::Other);
            };
            if !url.same_place(&hop.url) {
                (hop.own, hop.login) = (false, false);
            }
            if hop.sends && response.status < 307 || response.status == 303 && hop.method != "HEAD" {
                (hop.sends, hop.method) = (false, "GET".into());
            }
            hop.url = url;
        }
    }

    /// Sends a request; reports a failure and decides whether to try again.
    fn ask(&mut self, hop: &Hop) -> Result<Response, End> {
        let headers = request::headers(self.options, &self.jar, hop).map_err(|text| {
            self.log.say(&format!("{text}\n"));
            End::Done(Status::Other)
        })?;
        let limits = Limits { connect: self.options.connect_timeout, idle: self.options.timeout, deadline: self.deadline() };
        let payload = self.options.payload.as_ref().filter(|_| hop.sends);
        self.log.long(&format!("Connecting to {}:{}... ", hop.url.host, hop.url.port()));
        let response = send(&Request { method: &hop.method, url: &hop.url, headers: &headers, payload, limits })
            .map_err(|failure| self.failed(hop, &failure))?;
        let status = response.status;
        self.log.long("connected.\nHTTP request sent, awaiting response... ");
        if self.options.show_headers {
            self.log.long("\n");
            self.log.say(&format!("  HTTP/1.1 {status} {}\n", phrase(status)));
            for line in response.headers.lines() {
                self.log.say(&format!("  {}\n", String::from_utf8_lossy(&line)));
            }
        } else {
            self.log.long(&format!("{status} {}\n", phrase(status)));
        }
        Ok(response)
    }

    /// Returns when silence has lasted for the read timeout, which is enforced here until the head has arrived, and by the host after that.
    fn deadline(&self) -> Option<Instant> {
        let most = self.options.timeout?.checked_add(self.options.connect_timeout.unwrap_or(Duration::from_secs(120)))?;
        Instant::now().checked_add(most)
    }

    fn failed(&self, hop: &Hop, failure: &Failure) -> End {
        let host = &hop.url.host;
        match failure {
            Failure::Resolve => {
                self.log.long("failed: Name or service not known.\n");
                self.log.say(&format!("wget: unable to resolve host address ‘{host}’\n"));
                if self.options.retry_unresolved { End::Again(Status::Network) } else { End::Done(Status::Network) }
            }
            Failure::Connect(_) => {
                self.log.say("failed: Connection refused.\n");
                if self.options.retry_refused { End::Again(Status::Network) } else { End::Done(Status::Network) }
            }
            Failure::Denied(reason) if self.options.retry_refused && reason.contains(NOBODY_LISTENS) => {
                self.log.say(&format!("failed: {}\n", failure.text()));
                End::Again(Status::Network)
            }
            Failure::Denied(_) | Failure::TooMuch(_) | Failure::TooLarge(_) => {
                self.log.say(&format!("failed: {}\n", failure.text()));
                End::Done(Status::Network)
            }
            Failure::Certificate(text) => {
                self.log.long("\n");
                self.log.say(&format!("ERROR: cannot verify {host}'s certificate: {text}\n"));
                End::Done(Status::Tls)
            }
            Failure::Tls(text) => {
                self.log.long("\n");
                self.log.say(&format!("{text}\nUnable to establish SSL connection.\n"));
                End::Done(Status::Tls)
            }
            Failure::ConnectTimeout => {
                self.log.say("failed: Connection timed out.\n");
                End::Again(Status::Network)
            }
            Failure::Timeout => {
                self.log.say("Read error (Connection timed out) in headers.\n");
                End::Again(Status::Network)
            }
            Failure::Empty => {
                self.log.say("No data received.\n");
                End::Again(Status::Network)
            }
            Failure::Header(text) | Failure::Request(text) => {
                self.log.long("\n");
                self.log.say(&format!("wget: {text}\n"));
                End::Done(Status::Protocol)
            }
            other => {
                self.log.say(&format!("failed: {}\n", other.text()));
                End::Again(Status::Network)
            }
        }
    }
}

/// Returns a URL without its credentials.
pub(super) fn shown(url: &Url) -> String {
    Url { login: None, fragment: None, ..url.clone() }.text()
}
