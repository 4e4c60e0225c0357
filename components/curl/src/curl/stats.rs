//! Facts about a transfer, for `-w`.

use super::fail::Fail;
use super::hops::Hop;
use super::output::Output;
use crate::http::Response;
use crate::http::headers::Headers;
use std::time::{Duration, Instant};

/// The facts. Times of resolving and connecting are unknown: the host does both.
pub(super) struct Stats {
    /// As it was given.
    pub url: String,
    pub number: usize,
    pub effective: String,
    pub scheme: String,
    pub method: String,
    pub referer: Option<String>,
    pub status: u16,
    pub headers: Headers,
    pub redirects: u64,
    pub requests: u64,
    pub retries: u64,
    pub redirect_url: Option<String>,
    pub received: u64,
    pub sent: u64,
    pub size_header: u64,
    pub size_request: u64,
    pub redirect_time: Duration,
    pub first_byte: Duration,
    pub total: Duration,
    pub file_name: Option<String>,
    pub failure: Option<Fail>,
    began: Instant,
}

impl Stats {
    /// Creates the statistics of a transfer that has not begun.
    pub(super) fn new(url: &str, number: usize) -> Self {
        Self {
            url: url.to_owned(),
            number,
            effective: url.to_owned(),
            scheme: String::new(),
            method: String::new(),
            referer: None,
            status: 0,
            headers: Headers::default(),
            redirects: 0,
            requests: 0,
            retries: 0,
            redirect_url: None,
            received: 0,
            sent: 0,
            size_header: 0,
            size_request: 0,
            redirect_time: Duration::ZERO,
            first_byte: Duration::ZERO,
            total: Duration::ZERO,
            file_name: None,
            failure: None,
            began: Instant::now(),
        }
    }

    /// Begins an attempt, and forgets the previous one.
    pub(super) fn restart(&mut self) {
        let retries = self.retries + u64::from(self.requests > 0);
        let (url, number) = (std::mem::take(&mut self.url), self.number);
        *self = Self { retries, ..Self::new(&url, number) };
    }

    /// Notes that a request goes out.
    pub(super) fn begin(&mut self, hop: &Hop, headers: &Headers) {
        self.requests += 1;
        self.redirects = hop.number;
        self.effective = hop.url.text();
        self.scheme = hop.url.scheme.to_uppercase();
        self.method = hop.method.clone();
        self.referer = headers.get("referer");
        let lines: usize = headers.lines().iter().map(|line| line.len() + 2).sum();
        self.size_request += (hop.method.len() + hop.url.target().len() + hop.url.authority().len() + lines + 22) as u64;
        self.redirect_url = None;
    }

    /// Notes that a head came back.
    pub(super) fn answered(&mut self, response: &Response, sends: bool) {
        self.first_byte = self.began.elapsed();
        self.status = response.status;
        self.headers = response.headers.clone();
        self.sent = if sends { response.sent } else { 0 };
        let lines: usize = response.headers.lines().iter().map(|line| line.len() + 2).sum();
        self.size_header += (lines + crate::http::phrase(response.status).len() + 17) as u64;
    }

    /// Notes that it led elsewhere.
    pub(super) fn redirected(&mut self, since: Duration) {
        self.redirect_time = since;
    }

    /// Notes that the attempt is over.
    pub(super) fn finish(&mut self, output: &Output) {
        self.total = self.began.elapsed();
        self.file_name = output.name();
    }
}
