//! The last response: an error, or a body into its file.

use super::Status;
use super::fetch::{End, Wget, shown};
use super::request::Hop;
use super::save::{self, Saved};
use crate::http::decode::Decoder;
use crate::http::{Failure, Response, date, phrase};
use crate::url::Url;
use std::io::Error;
use std::time::{Duration, Instant};

impl Wget<'_> {
    /// Handles the last response: an error, or the body.
    pub(super) fn answered(&mut self, hop: &Hop, first: &Url, response: Response, partial: &mut Option<String>) -> End {
        let status = response.status;
        let url = shown(&hop.url);
        let now = date::plain(date::now());
        if self.options.retry_statuses.contains(&status) {
            return End::Again(Status::Server);
        }
        if status == 304 && hop.since.is_some() {
            self.log.long(&format!("File ‘{}’ not modified on server. Omitting download.\n\n", save::name_of(self.options, first, None)));
            return End::Done(Status::Well);
        }
        if status == 416 && hop.from > 0 {
            self.log.long("\n    The file is already fully retrieved; nothing to do.\n\n");
            return End::Done(Status::Well);
        }
        if status >= 400 {
            if self.options.spider {
                self.log.short(&format!("{url}:\n"));
                self.log.say("Remote file does not exist -- broken link!!!\n");
                self.log.long("\n");
                return End::Done(Status::Server);
            }
            if status == 401 {
                self.log.long("\nUsername/Password Authentication Failed.\n");
                return End::Done(Status::Login);
            }
            self.log.short(&format!("{url}:\n"));
            self.log.say(&format!("{now} ERROR {status}: {}.\n", phrase(status)));
            self.log.long("\n");
            if self.options.content_on_error {
                self.body(hop, first, response, partial);
            }
            return End::Done(Status::Server);
        }
        let length = length_of(&response);
        let size = length.map_or("unspecified".into(), |length| match hop.from {
            from if status == 206 && from > 0 => format!("{}, {length} remaining", length + from),
            _ => length.to_string(),
        });
        let kind = response.headers.get("content-type").map(|kind| kind.split(';').next().unwrap_or_default().trim().to_owned());
        self.log.long(&format!("Length: {size}{}\n", kind.map_or(String::new(), |kind| format!(" [{kind}]"))));
        if self.options.spider {
            self.log.long("Remote file exists.\n\n");
            self.log.short(&format!("{now} URL: {url} {status} {}\n", phrase(status)));
            return End::Done(Status::Well);
        }
        self.body(hop, first, response, partial)
    }

    fn not_written(&self, name: &str, error: &Error) -> End {
        self.log.say(&format!(
            "{name}: {}\n\nCannot write to ‘{name}’ ({}).\n",
            wisp_tool::text::reason(error),
            wisp_tool::text::reason(error)
        ));
        End::Done(Status::File)
    }

    fn body(&mut self, hop: &Hop, first: &Url, mut response: Response, partial: &mut Option<String>) -> End {
        let appends = response.status == 206 && hop.from > 0;
        let named = if self.options.server_names { &hop.url } else { first };
        let mut own = None;
        if self.document.is_none() {
            let wanted = save::name_of(self.options, named, Some(&response.headers));
            let name = match partial.take() {
                Some(name) => name,
                None if self.options.resume || self.options.timestamping => wanted,
                None => save::free(&wanted),
            };
            match Saved::open(&name, appends) {
                Ok(saved) => own = Some(saved),
                Err(error) => return self.not_written(&name, &error),
            }
        }
        let Some(out) = own.as_mut().or(self.document.as_mut()) else { return End::Done(Status::Other) };
        let name = out.name.clone();
        let label = if name == "-" { "STDOUT".into() } else { name.clone() };
        self.log.long(&format!("Saving to: ‘{label}’\n\n"));
        let (began, before, expected) = (Instant::now(), out.written, length_of(&response));
        let encoding = response.headers.get("content-encoding").unwrap_or_default();
        let mut decoder = Decoder::new(if self.options.compression { &encoding } else { "" }, &mut *out);
        let mut received = 0;
        let result = loop {
            match response.body.read() {
                Ok(data) if data.is_empty() => break Ok(()),
                Ok(data) => {
                    received += data.len() as u64;
                    if let Err(error) = decoder.push(&data) {
                        drop(decoder);
                        return self.not_written(&name, &error);
                    }
                }
                Err(failure) => break Err(failure),
            }
            if let Some(rate) = self.options.rate {
                std::thread::sleep(Duration::from_secs_f64(received as f64 / rate).saturating_sub(began.elapsed()));
            }
        };
        let finished = if received > 0 { decoder.finish() } else { Ok(()) };
        drop(decoder);
        let written = out.written - before;
        if let Err(failure) = result {
            let url = shown(&hop.url);
            let (now, text) = (date::plain(date::now()), failure.text());
            self.log.say(&format!(
                "{now} ({url}) - Read error at byte {received}{}: {text}.\n",
                expected.map_or(String::new(), |all| format!("/{all}"))
            ));
            *partial = own.map(|saved| saved.name);
            return match failure {
                Failure::Denied(_) | Failure::TooMuch(_) | Failure::TooLarge(_) => End::Done(Status::Network),
                _ => End::Again(Status::Network),
            };
        }
        if let Err(error) = finished {
            return self.not_written(&name, &error);
        }
        if let Some(at) = response.headers.get("last-modified").and_then(|text| date::parse(&text)).filter(|_| self.options.server_times) {
            out.set_time(at);
        }
        self.files += 1;
        self.bytes += written;
        let (from, now, url) = (if appends { hop.from } else { 0 }, date::plain(date::now()), shown(&hop.url));
        let counted = match expected.filter(|_| encoding.is_empty() || !self.options.compression) {
            Some(expected) => format!("[{}/{}]", written + from, expected + from),
            None => format!("[{}]", written + from),
        };
        let speed = speed(received, began.elapsed());
        match name.as_str() {
            "-" => self.log.long(&format!("{now} ({speed}) - written to stdout {counted}\n\n")),
            name => self.log.long(&format!("{now} ({speed}) - ‘{name}’ saved {counted}\n\n")),
        }
        self.log.short(&format!("{now} URL:{url} {counted} -> \"{name}\" [1]\n"));
        End::Done(Status::Well)
    }
}

fn length_of(response: &Response) -> Option<u64> {
    response.headers.length()
}

fn speed(bytes: u64, time: Duration) -> String {
    let rate = bytes as f64 / time.as_secs_f64().max(1e-6);
    match rate {
        rate if rate >= 1_048_576.0 => format!("{:.2} MB/s", rate / 1_048_576.0),
        rate if rate >= 1024.0 => format!("{:.2} KB/s", rate / 1024.0),
        rate => format!("{rate:.0} B/s"),
    }
}
