//! One transfer: requests from redirect to redirect, and the body of the last response.

use super::fail::{Fail, fail, of_failure};
use super::hops::{Hop, next};
use super::message;
use super::meter::Meter;
use super::options::{Global, Operation};
use super::output::Output;
use super::prepare::Prepared;
use super::stats::Stats;
use crate::http::decode::{self, Decoder};
use crate::http::headers::Headers;
use crate::http::{Limits, Request, Response, cookies::Jar, own_addresses, phrase, send};
use std::fs::OpenOptions;
use std::io::Write;
use std::time::{Duration, Instant};

/// A transfer with everything that belongs to it.
pub(super) struct Job<'a> {
    pub operation: &'a Operation,
    pub prepared: &'a Prepared,
    pub output: &'a mut Output,
    pub jar: &'a mut Jar,
    pub global: &'a Global,
    pub stats: &'a mut Stats,
}

/// Performs the transfer.
pub(super) fn run(job: &mut Job) -> Result<(), Fail> {
    let began = Instant::now();
    let limits = Limits {
        connect: job.operation.connect_timeout,
        idle: None,
        deadline: job.operation.max_time.and_then(|most| began.checked_add(most)),
    };
    let mut hop = Hop::first(job.prepared);
    let mut dumped = false;
    loop {
        let headers = request_headers(job, &hop);
        job.stats.begin(&hop, &headers);
        if job.global.verbose {
            say_request(&hop, &headers);
        }
        let request = Request { method: &hop.method, url: &hop.url, headers: &headers, payload: hop.payload, limits };
        let seconds = |began: Instant| began.elapsed().as_secs_f64();
        let response = send(&request).map_err(|failure| of_failure(&failure, &hop.url, seconds(began), 0, None))?;
        job.stats.answered(&response, hop.payload.is_some());
        job.jar.take(&hop.url, &response.headers);
        let head = head_of(&response);
        if job.global.verbose {
            eprint!("{}", message::prefixed("< ", &head));
        }
        dump(job, &head, &mut dumped)?;
        if job.operation.include || job.operation.head {
            job.output.text(&head).map_err(|_| fail(23, "Failure writing output to destination"))?;
        }
        let location = response.headers.get("location").filter(|_| (300..400).contains(&response.status) && response.status != 304);
        if let Some(location) = &location {
            job.stats.redirect_url = hop.url.join(location, job.operation.as_is).ok().map(|url| url.text());
        }
        match location.filter(|_| job.operation.location) {
            Some(location) => {
                hop = next(job, hop, response.status, &location)?;
                job.stats.redirected(began.elapsed());
            }
            None => return body(job, &hop, response, began, limits.deadline),
        }
    }
}

/// Returns the headers of one hop: credentials and cookies go only where they may.
fn request_headers(job: &Job, hop: &Hop) -> Headers {
    let mut headers = Headers::default();
    if let Some(value) = &hop.authorization {
        headers.push("Authorization", value);
    }
    headers.0.extend(job.prepared.headers.0.iter().cloned());
    if let Some(referer) = &hop.referer {
        headers.remove("referer");
        headers.push("Referer", referer);
    }
    let cookies: Vec<String> = job.jar.header(&hop.url).into_iter().chain(hop.cookies.iter().cloned()).collect();
    if !cookies.is_empty() {
        headers.push("Cookie", cookies.join("; "));
    }
    if job.output.resume > 0 && hop.payload.is_none() {
        headers.push("Range", format!("bytes={}-", job.output.resume));
    } else if let Some(range) = &job.prepared.range {
        headers.push("Range", range);
    }
    if hop.payload.is_some() {
        headers.0.extend(job.prepared.payload_headers.0.iter().cloned());
    }
    headers
}

fn say_request(hop: &Hop, headers: &Headers) {
    let mut head = format!("{} {} HTTP/1.1\r\nHost: {}\r\n", hop.method, hop.url.target(), hop.url.authority()).into_bytes();
    for line in headers.lines() {
        head.extend_from_slice(&line);
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    let way = if hop.url.scheme == "http" && !own_addresses(&hop.url.host).is_empty() {
        "in this session if something listens there, else through the gate of wisp's host"
    } else {
        "through the gate of wisp's host"
    };
    eprint!("* {}, {way}\n{}", hop.url.authority(), message::prefixed("> ", &head));
}

/// Returns the head of a response in the form of HTTP/1.1.
fn head_of(response: &Response) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} {}\r\n", response.status, phrase(response.status)).into_bytes();
    for line in response.headers.lines() {
        head.extend_from_slice(&line);
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// Implements `-D`: writes every head of a transfer into one file.
fn dump(job: &Job, head: &[u8], again: &mut bool) -> Result<(), Fail> {
    let Some(path) = &job.operation.dump else { return Ok(()) };
    let written = if path == "-" {
        std::io::stdout().write_all(head)
    } else {
        let append = std::mem::replace(again, true);
        let file = OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(path);
        file.and_then(|mut file| file.write_all(head))
    };
    written.map_err(|error| fail(23, format!("Failed to write the headers to {path}: {}", wisp_tool::text::reason(&error))))
}

/// Writes the body of the last response.
fn body(job: &mut Job, hop: &Hop, mut response: Response, began: Instant, deadline: Option<Instant>) -> Result<(), Fail> {
    let operation = job.operation;
    let expected = response.headers.length();
    let bad = response.status >= 400;
    let of_status = fail(22, format!("The requested URL returned error: {}", response.status));
    if job.output.resume > 0 && hop.payload.is_none() {
        if response.status == 416 {
            return Ok(()); // there is nothing after what is there
        }
        if response.status == 200 {
            return Err(fail(33, "HTTP server doesn't seem to support byte ranges. Cannot resume."));
        }
    }
    if bad && operation.fail && !operation.fail_with_body {
        return Err(of_status);
    }
    if let Some(disposition) = response.headers.get("content-disposition") {
        job.output.rename(&disposition);
    }
    let encoding = response.headers.get("content-encoding").unwrap_or_default();
    let decoded = operation.compressed && !operation.raw;
    if decoded && !decode::is_known(&encoding) {
        return Err(fail(
            61,
            format!("Unrecognized content encoding type. libcurl understands deflate, gzip content encodings, not {encoding}"),
        ));
    }
    let too_large = || fail(63, "Maximum file size exceeded");
    if operation.max_size.is_some_and(|most| expected.is_some_and(|expected| expected > most)) {
        return Err(too_large());
    }
    let mut received = 0;
    let mut meter = Meter::new(job.global, job.output, expected, hop.method == "HEAD");
    let no_body = hop.method == "HEAD" || operation.head;
    let mut decoder = Decoder::new(if decoded { &encoding } else { "" }, &mut *job.output);
    let mut trouble = None;
    loop {
        if no_body {
            break;
        }
        let data = response.body.read().map_err(|failure| {
            let expected = expected.filter(|_| !matches!(failure, crate::http::Failure::Empty));
            of_failure(&failure, &hop.url, began.elapsed().as_secs_f64(), received, expected)
        });
        let data = match data {
            Ok(data) => data,
            Err(failure) => {
                meter.end();
                job.stats.received = received;
                return Err(failure);
            }
        };
        if data.is_empty() {
            break;
        }
        received += data.len() as u64;
        job.stats.received = received;
        if operation.max_size.is_some_and(|most| received > most) {
            return Err(too_large());
        }
        if let Err(error) = decoder.push(&data) {
            trouble = Some(error);
            break;
        }
        meter.update(received);
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(of_failure(&crate::http::Failure::Timeout, &hop.url, began.elapsed().as_secs_f64(), received, expected));
        }
        if let Some(rate) = operation.rate {
            let due = Duration::from_secs_f64(received as f64 / rate.max(1) as f64);
            std::thread::sleep(due.saturating_sub(began.elapsed()));
        }
    }
    if trouble.is_none() && received > 0 {
        trouble = decoder.finish().err();
    }
    drop(decoder);
    meter.end();
    match trouble {
        Some(error) if job.output.failed.is_some() => Err(message::write_error(job.global, job.output, &error)),
        Some(error) => Err(fail(61, format!("Error while processing content unencoding: {error}"))),
        None if bad && operation.fail_with_body => Err(of_status),
        None => Ok(()),
    }
}
