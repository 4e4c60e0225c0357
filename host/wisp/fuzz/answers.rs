//! Responses of a server that was sent a secret, well formed or not, split into pieces anywhere. No form of the
//! secret is in anything that reaches the guest (names and values of headers, body, failures) or a receipt.
//!
//! The bytes go through the client that serves guests, over a pipe instead of a connection.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::runtime::{Builder, Runtime};
use wisp::internal::Ticker;
use wisp_net::{Attempt, Code, Failure, Net, NetParts, Observer, Request, RequestBody, Roots, Secrets, Timeouts};
use wisp_policy::{NoFiles, Policy};

use crate::input::Input;

/// It contains an escape of each kind, upper and lower case, and a beginning that occurs twice.
const VALUE: &str = "S3S3cr3t/\"t0k3n\"";

/// Every form that is masked.
const FORMS: [&str; 5] = [VALUE, r#"S3S3cr3t/\"t0k3n\""#, r#"S3S3cr3t\/\"t0k3n\""#, "S3S3cr3t%2F%22t0k3n%22", "S3S3cr3t%2f%22t0k3n%22"];

/// Maximum bytes of a response: few, so that responses are often cut off.
const MOST: usize = 120;

const STARTS: &[&str] =
    &["HTTP/1.1 200 ", "HTTP/1.1 206 ", "HTTP/1.0 200 ", "HTTP/1.1 304 ", "HTTP/1.1 101 ", "HTTP/1.1 404 ", "HTTP/1.1 ", ""];
const NAMES: &[&str] = &[
    "Content-Encoding",
    "Transfer-Encoding",
    "Content-Type",
    "Content-Range",
    "Content-Length",
    "Set-Cookie",
    "Location",
    "X-Own",
    "Trailer",
    "Connection",
];
const WORDS: &[&str] = &[
    "identity",
    "gzip",
    "chunked",
    "gzip, chunked",
    "multipart/byteranges",
    "5",
    "100",
    "0",
    "S3",
    "S3S3cr3t",
    "s3s3cr3t%2ft",
    "t0k3n\"",
    "x",
    " ",
    ",",
    "\t",
    "*",
    "\u{e4}",
];

/// Keeps the data of receipts.
#[derive(Default)]
struct Attempts(Mutex<Vec<Attempt>>);

impl Observer for Attempts {
    fn attempt(&self, attempt: &Attempt) {
        self.0.lock().push(attempt.clone());
    }
}

/// No name is looked up: a connection exists already.
struct Nowhere;

#[async_trait::async_trait]
impl wisp_net::Resolve for Nowhere {
    async fn resolve(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

struct World {
    runtime: Runtime,
    net: Net,
    attempts: Arc<Attempts>,
}

thread_local! {
    static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
}

fn world() -> World {
    let policy = format!(
        "[network]\nmax_requests = 1000000\nmax_bytes = \"1024GiB\"\nmax_response = \"{MOST}B\"\nallow = [{{ url = \"https://a.example/\" }}]\n\
         [[network.secret]]\nhost = \"a.example\"\nvalue_from_env = \"TOKEN\"\nheader = \"authorization\"\n"
    );
    let policy = Policy::parse(&NoFiles, "p.toml", &policy).expect("the policy above is valid");
    let network = policy.network().expect("it has a network").clone();
    let mut secrets = Secrets::default();
    secrets.add(network.secrets[0].clone(), VALUE.to_owned()).expect("a value that can be masked");
    let attempts = Arc::new(Attempts::default());
    let (clock, ticker) = (AtomicU64::new(0), Ticker::default());
    let net = Net::new(NetParts {
        policy: network,
        rule_of: Arc::new(|key| key.path().to_owned()),
        resolver: Arc::new(Nowhere),
        roots: Roots::public(),
        secrets,
        observer: attempts.clone(),
        // A second for each request, so that there are never too many in a minute.
        now: Arc::new(move || Duration::from_secs(clock.fetch_add(1, Ordering::Relaxed))),
        wait: Arc::new(move |until| Box::pin(ticker.sleep(until))),
    });
    // Without timers: timeouts do not depend on those of a runtime.
    World { runtime: Builder::new_current_thread().build().expect("a runtime"), net, attempts }
}

/// Returns some text with forms of the secret in it.
fn text(input: &mut Input<'_>, most: u8) -> String {
    (0..input.byte() % most).map(|_| if input.once_in(2) { input.pick(&FORMS) } else { input.pick(WORDS) }).collect()
}

/// Returns a whole response, or something similar.
fn answer(input: &mut Input<'_>) -> Vec<u8> {
    let mut text_of_head = format!("{}{}\r\n", input.pick(STARTS), text(input, 3));
    let mut chunked = false;
    for _ in 0..input.byte() % 6 {
        let name = if input.once_in(4) { text(input, 4) } else { input.pick(NAMES).to_owned() };
        let value = text(input, 4);
        chunked |= name == "Transfer-Encoding" && value.ends_with("chunked");
        text_of_head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut bytes = format!("{text_of_head}\r\n").into_bytes();
    let padding = usize::from(input.byte() % 120);
    let body = "x".repeat(padding) + &text(input, 8);
    if chunked {
        for piece in body.as_bytes().chunks(usize::from(input.byte() % 20) + 1) {
            bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
            bytes.extend_from_slice(piece);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(format!("0\r\nX-Trailer: {VALUE}\r\n\r\n").as_bytes());
    } else {
        bytes.extend_from_slice(body.as_bytes());
    }
    if input.once_in(5) {
        bytes.truncate(usize::from(input.byte()) * 2);
    }
    bytes
}

/// What a guest receives of it.
#[derive(Default)]
struct Got {
    headers: HeaderMap,
    body: Vec<u8>,
    failure: Option<Failure>,
}

async fn serve(mut stream: DuplexStream, answer: Vec<u8>, piece: usize) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    for piece in answer.chunks(piece) {
        // A reader that stops has what it wants.
        if stream.write_all(piece).await.is_err() {
            return;
        }
    }
}

async fn ask(net: &Net, request: Request, stream: DuplexStream) -> Got {
    let mut got = Got::default();
    let response = match net.send_through(1, request, Box::new(stream)) {
        Ok(pending) => pending.await,
        Err(failure) => Err(failure),
    };
    match response {
        Ok(mut response) => {
            got.headers = std::mem::take(&mut response.headers);
            while let Some(piece) = poll_fn(|cx| response.body.poll_next(cx)).await {
                match piece {
                    Ok(piece) => got.body.extend_from_slice(&piece),
                    Err(failure) => got.failure = Some(failure),
                }
            }
        }
        Err(failure) => got.failure = Some(failure),
    }
    got
}

fn has_secret(bytes: &[u8], folded: bool) -> bool {
    let text = if folded { bytes.to_ascii_lowercase() } else { bytes.to_vec() };
    let form = |form: &str| if folded { form.to_ascii_lowercase() } else { form.to_owned() };
    FORMS.iter().any(|secret| text.windows(secret.len()).any(|window| window == form(secret).as_bytes()))
}

/// Returns what occurred in an input, for [`the_inputs_reach_what_is_promised`].
fn check(bytes: &[u8]) -> BTreeSet<&'static str> {
    let mut input = Input::new(bytes);
    let (secret, head) = (!input.once_in(3), input.once_in(8));
    let (buffer, piece) = (usize::from(input.byte() % 64) + 1, usize::from(input.byte() % 50) + 1);
    let answer = answer(&mut input);
    WORLD.with_borrow_mut(|world| {
        let World { runtime, net, attempts } = world.get_or_insert_with(self::world);
        let mut headers = HeaderMap::new();
        if secret {
            let placeholder = net.placeholders().next().expect("there is one").1;
            headers.insert("authorization", HeaderValue::from_str(placeholder).expect("placeholders are plain"));
        }
        let request = Request {
            method: if head { "HEAD" } else { "GET" }.to_owned(),
            scheme: "https".to_owned(),
            authority: "a.example".to_owned(),
            path_and_query: "/".to_owned(),
            headers,
            body: RequestBody::empty(),
            timeouts: Timeouts::default(),
        };
        let (ours, theirs) = duplex(buffer);
        let (got, ()) = runtime.block_on(async { tokio::join!(ask(net, request, ours), serve(theirs, answer.clone(), piece)) });
        let attempts = std::mem::take(&mut *attempts.0.lock());
        let shown = || String::from_utf8_lossy(&answer).into_owned();
        assert_eq!(attempts.len(), 1, "{}", shown());
        look(&got, &attempts[0], &shown)
    })
}

/// Runs the oracle.
fn look(got: &Got, attempt: &Attempt, shown: &dyn Fn() -> String) -> BTreeSet<&'static str> {
    let mut seen = BTreeSet::new();
    for (name, value) in &got.headers {
        assert!(!has_secret(name.as_str().as_bytes(), true), "{name}: in the name of {}", shown());
        assert!(!has_secret(value.as_bytes(), false), "{name}: in the value of {}", shown());
        seen.extend(name.as_str().contains("****").then_some("name"));
        seen.extend(value.as_bytes().windows(4).any(|four| four == b"****").then_some("value"));
    }
    assert!(!has_secret(&got.body, false), "in the body of {}", shown());
    assert!(got.body.len() <= MOST);
    seen.extend(got.body.windows(4).any(|four| four == b"****").then_some("body"));
    let mut texts = vec![&*attempt.request, &attempt.rule];
    texts.extend(attempt.failure.as_deref());
    if let Some(failure) = &got.failure {
        texts.extend([&*failure.request, &failure.reason, failure.rule(), failure.help.as_deref().unwrap_or_default()]);
        texts.extend(failure.recorded.as_deref());
        if let Code::ResponseContentCoding(coding) = &failure.code {
            texts.push(coding);
            seen.insert("coding");
        }
        if matches!(failure.code, Code::ResponseBodySize(_)) && !got.body.is_empty() {
            seen.insert("cut");
            // Where a limit cut the response, no beginning of the secret remains at the end.
            let beginning = (3..VALUE.len()).any(|length| got.body.ends_with(&VALUE.as_bytes()[..length]));
            assert!(!beginning, "the beginning of it at the end of {}", String::from_utf8_lossy(&got.body));
        }
    }
    for text in texts {
        assert!(!has_secret(text.as_bytes(), true) && text.len() <= 1024, "{text}: of {}", shown());
        seen.extend(text.contains("****").then_some("failure"));
    }
    seen
}

pub(crate) fn target(bytes: &[u8]) {
    check(bytes);
}

/// The inputs above place the secret everywhere often enough: without this check, the promise might never be tested.
#[test]
fn the_inputs_reach_what_is_promised() {
    let mut state = 42u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    let mut seen = BTreeSet::new();
    for _ in 0..10_000 {
        let bytes: [u8; 80] = std::array::from_fn(|_| next());
        seen.extend(check(&bytes));
    }
    assert_eq!(seen, BTreeSet::from(["body", "coding", "cut", "failure", "name", "value"]));
}
