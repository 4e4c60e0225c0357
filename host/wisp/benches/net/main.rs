//! `just bench net`: the cost of the gate, compared with hyper alone, on this machine's loopback.
//!
//! Requests of both kinds alternate, each with its own connection as the gate makes them, so that both see the same
//! machine; times are medians. `QUICK=1` makes fewer runs. Absolute times on a virtual machine are noise; ratios
//! within one run are less so.

#![allow(clippy::disallowed_methods, reason = "a benchmark runs programs and lays out folders")]

mod server;

use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body::Body;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use wisp::internal::Ticker;
use wisp_net::{Attempt, Net, NetParts, Observer, Request, RequestBody, Roots, Secrets, Timeouts};
use wisp_net::{Resolve, SystemResolver};
use wisp_policy::{NoFiles, Policy};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Bytes of the download.
const DOWNLOAD: usize = 100 << 20;

struct NoObserver;

impl Observer for NoObserver {
    fn attempt(&self, _: &Attempt) {}
}

/// Always this machine.
struct Here;

#[async_trait::async_trait]
impl Resolve for Here {
    async fn resolve(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
        Ok(vec![std::net::Ipv4Addr::LOCALHOST.into()])
    }
}

fn main() -> Result<()> {
    // The server has its own runtime, so that its work counts the same in both cases.
    let port = server::start()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(bench(port))
}

fn gate(port: u16, rules: usize, secret: bool, resolver: Arc<dyn Resolve>) -> Result<Net> {
    let mut text = String::from(
        "[network]\nmax_requests = 1000000\nmax_requests_per_minute = 1000000\nmax_bytes = \"1024GiB\"\nmax_response = \"1GiB\"\n",
    );
    for rule in 1..rules {
        text.push_str(&format!("[[network.allow]]\nurl = \"https://host-{rule}.example/path/{rule}/\"\n"));
    }
    text.push_str(&format!("[[network.allow]]\nurl = \"http://server.example:{port}/\"\nallow_private = true\n"));
    if secret {
        text.push_str("[[network.secret]]\nhost = \"server.example\"\nheader = \"authorization\"\nvalue_from_env = \"TOKEN\"\n");
    }
    let policy = Policy::parse(&NoFiles, "bench.toml", &text)?;
    let network = policy.network().ok_or("a network")?.clone();
    let mut secrets = Secrets::default();
    for rule in &network.secrets {
        secrets.add(rule.clone(), "not-to-be-found-in-any-answer".to_owned())?;
    }
    let (start, ticker) = (Instant::now(), Ticker::default());
    Ok(Net::new(NetParts {
        policy: network,
        rule_of: Arc::new(move |key| policy.rule(key).to_string()),
        resolver,
        roots: Roots::public(),
        secrets,
        observer: Arc::new(NoObserver),
        now: Arc::new(move || start.elapsed()),
        wait: Arc::new(move |until| Box::pin(ticker.sleep(until))),
    }))
}

/// Sends one request through the gate and returns how many bytes the response had.
async fn gated(net: &Net, port: u16, path: &str) -> Result<usize> {
    let request = Request {
        method: "GET".to_owned(),
        scheme: "http".to_owned(),
        authority: format!("server.example:{port}"),
        path_and_query: path.to_owned(),
        headers: http::HeaderMap::new(),
        body: RequestBody::empty(),
        timeouts: Timeouts::default(),
    };
    let mut response = net.send(1, request)?.await?;
    let mut count = 0;
    while let Some(piece) = poll_fn(|cx| response.body.poll_next(cx)).await {
        count += piece?.len();
    }
    Ok(count)
}

/// Returns the same request with hyper alone.
async fn plain(port: u16, path: &str) -> Result<usize> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let driver = tokio::spawn(connection);
    let mut request = http::Request::new(String::new());
    *request.uri_mut() = path.parse()?;
    request.headers_mut().insert("host", format!("server.example:{port}").parse()?);
    let response = sender.send_request(request).await?;
    let mut body = response.into_body();
    let mut count = 0;
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        count += frame?.into_data().map_or(0, |data| data.len());
    }
    driver.abort();
    Ok(count)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

async fn bench(port: u16) -> Result<()> {
    let quick = std::env::var_os("QUICK").is_some();
    let runs = if quick { 500 } else { 5000 };
    println!("row                                   gate      hyper      promise");
    for (name, net) in [
        ("small request", gate(port, 1, false, Arc::new(Here))?),
        ("small request, 1,000 rules, a secret", gate(port, 1000, true, Arc::new(Here))?),
    ] {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for run in 0..runs {
            let began = Instant::now();
            gated(&net, port, "/small").await?;
            let between = Instant::now();
            plain(port, "/small").await?;
            if run > runs / 10 {
                with.push(between - began);
                without.push(between.elapsed());
            }
        }
        let (with, without) = (median(&mut with), median(&mut without));
        let more = with.as_secs_f64() - without.as_secs_f64();
        println!("{name:36} {with:9.1?} {without:9.1?}      {:+.1} µs (at most +50 µs)", more * 1e6);
    }
    // The system's resolver does not belong to the gate; its time is shown for comparison.
    let began = Instant::now();
    SystemResolver.resolve("localhost").await?;
    println!("{:36} {:9.1?}", "(`localhost` by the system)", began.elapsed());
    for (name, secret) in [("download of 100 MiB", false), ("download of 100 MiB, masked", true)] {
        let net = gate(port, 1, secret, Arc::new(Here))?;
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for _ in 0..if quick { 3 } else { 9 } {
            let began = Instant::now();
            assert_eq!(gated(&net, port, "/large").await?, DOWNLOAD);
            let between = Instant::now();
            assert_eq!(plain(port, "/large").await?, DOWNLOAD);
            with.push(between - began);
            without.push(between.elapsed());
        }
        let rate = |times: &mut [Duration]| DOWNLOAD as f64 / median(times).as_secs_f64() / f64::from(1 << 20);
        let (with, without) = (rate(&mut with), rate(&mut without));
        let promise = if secret { "" } else { " (at least 80 %)" };
        println!("{name:36} {with:5.0} MiB/s {without:5.0} MiB/s  {:.0} %{promise}", 100.0 * with / without);
    }
    Ok(())
}
