//! A client that writes and reads JSON, as Codex does.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use wisp::{Receipt, ReceiptSink, Verdict};
use wisp_codex::{Options, ServeError, Server};
use wisp_service::{Owner, Service, Store};

use crate::peer::Peer;
use crate::service::kit::{RUNTIME, policy};

/// A script that says that it is there, and waits until a test writes to the pipe `gate`.
pub(crate) const WAITS: &str = "[ -p gate ] || mkfifo gate; echo ready; cat gate";

/// The receipts of a server.
#[derive(Default)]
pub(crate) struct Receipts(Mutex<Vec<Receipt>>);

impl ReceiptSink for Receipts {
    fn record(&self, receipt: &Receipt) {
        self.0.lock().push(receipt.clone());
    }
}

impl Receipts {
    /// What was refused: the process and the subject.
    pub(crate) fn denied(&self) -> Vec<(u32, String)> {
        let all = self.0.lock();
        all.iter().filter(|receipt| receipt.verdict == Verdict::Denied).map(|receipt| (receipt.process, receipt.subject.clone())).collect()
    }
}

/// A server, and what it uses.
pub(crate) struct Served {
    pub(crate) server: Server,
    pub(crate) service: Service,
    pub(crate) owner: Owner,
    pub(crate) store: Store,
    pub(crate) receipts: Arc<Receipts>,
    _folder: tempfile::TempDir,
}

/// A server under the built-in policy `offline` with these lines added, and with a store of its own.
pub(crate) fn served(lines: &str) -> Served {
    with(lines, |options| options)
}

/// The same with other options.
pub(crate) fn with(lines: &str, set: impl FnOnce(Options) -> Options) -> Served {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let store = Store::at(folder.path().join("sessions"));
    let receipts = Arc::new(Receipts::default());
    let service = Service::builder(RUNTIME.clone()).policy("test", policy(lines)).receipts(receipts.clone()).build();
    let owner = Owner::new("codex");
    let options = set(Options { store: Some(store.clone()), ..Options::default() });
    let server = Server::new(service.clone(), owner.clone(), options).expect("a server");
    Served { server, service, owner, store, receipts, _folder: folder }
}

/// The lines of a policy that mount this folder at `guest`.
pub(crate) fn mount(folder: &std::path::Path, guest: &str, access: &str) -> String {
    format!("[[filesystem.mount]]\nhost = {folder:?}\nguest = {guest:?}\naccess = {access:?}\n")
}

impl Served {
    /// The names of the sessions that were kept.
    pub(crate) fn kept(&self) -> Vec<String> {
        self.store.list().expect("a list").into_iter().map(|session| session.name).collect()
    }

    /// Whether a session is open.
    pub(crate) fn is_open(&self) -> bool {
        !self.service.sessions(&self.owner).is_empty()
    }

    /// Waits until no session is open: those of dropped connections are closed in the background.
    pub(crate) async fn closed(&self) {
        while self.is_open() {
            tokio::task::yield_now().await;
        }
    }
}

/// A client that is connected.
pub(crate) struct Client {
    peer: Peer,
    served: JoinHandle<Result<(), ServeError>>,
    stop: oneshot::Sender<()>,
    last: i64,
    /// The name of its session.
    pub(crate) session: String,
}

impl Deref for Client {
    type Target = Peer;

    fn deref(&self) -> &Peer {
        &self.peer
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Peer {
        &mut self.peer
    }
}

/// What a process has done.
pub(crate) struct Ended {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) pty: String,
    pub(crate) code: i64,
    pub(crate) denied: bool,
    /// The numbers of all that was told of it.
    pub(crate) seqs: Vec<u64>,
}

impl Client {
    /// One that has written nothing yet.
    pub(crate) fn silent(server: &Server) -> Self {
        let (peer, read, write) = Peer::new();
        let (stop, stopped) = oneshot::channel::<()>();
        let server = server.clone();
        let stopped = async { drop(stopped.await) };
        let served = tokio::spawn(async move { server.serve(read, write, stopped).await });
        Self { peer, served, stop, last: 0, session: String::new() }
    }

    /// One that has begun as Codex does.
    pub(crate) async fn connect(server: &Server) -> Self {
        Self::begin(server, None).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// One that comes back to a session.
    pub(crate) async fn resume(server: &Server, session: &str) -> Self {
        Self::begin(server, Some(session)).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// One that begins; the error that it is answered with.
    pub(crate) async fn begin(server: &Server, resume: Option<&str>) -> Result<Self, Value> {
        let mut client = Self::silent(server);
        let answer = client.request("initialize", json!({ "clientName": "codex-environment", "resumeSessionId": resume })).await;
        if let Some(error) = answer.get("error") {
            return Err(error.clone());
        }
        client.session = answer["result"]["sessionId"].as_str().expect("a session").to_owned();
        client.write(&json!({ "method": "initialized", "params": {} })).await;
        Ok(client)
    }

    /// Sends a request. Returns its number.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> i64 {
        self.last += 1;
        self.peer.write(&json!({ "id": self.last, "method": method, "params": params })).await;
        self.last
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// Makes a call, which succeeds. Returns its result.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Makes a call, which is refused. Returns the code, and the message.
    pub(crate) async fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let answer = self.request(method, params).await;
        let error = &answer["error"];
        (error["code"].as_i64().unwrap_or_else(|| panic!("{method}: {answer}")), error["message"].as_str().expect("a message").to_owned())
    }

    /// Starts a script, as Codex does, with these parameters besides.
    pub(crate) async fn start(&mut self, id: &str, script: &str, more: Value) {
        let params = script_of(id, script, more);
        assert_eq!(self.call("process/start", params).await, json!({ "processId": id }));
    }

    /// Runs a script to its end.
    pub(crate) async fn run(&mut self, id: &str, script: &str) -> Ended {
        self.start(id, script, json!({})).await;
        self.ended(id).await
    }

    /// Waits until all is told of a process, and takes it.
    pub(crate) async fn ended(&mut self, id: &str) -> Ended {
        let closed = self.note(|note| note["method"] == "process/closed" && note["params"]["processId"] == id).await;
        let mut ended =
            Ended { stdout: String::new(), stderr: String::new(), pty: String::new(), code: i64::MIN, denied: false, seqs: Vec::new() };
        for note in self.notes.extract_if(.., |note| note["params"]["processId"] == id) {
            let params = &note["params"];
            ended.seqs.push(params["seq"].as_u64().expect("a number"));
            if note["method"] == "process/exited" {
                ended.code = params["exitCode"].as_i64().expect("a code");
                ended.denied = params["sandboxDenied"].as_bool().expect("whether");
                continue;
            }
            let to = match params["stream"].as_str() {
                Some("stdout") => &mut ended.stdout,
                Some("stderr") => &mut ended.stderr,
                Some("pty") => &mut ended.pty,
                _ => panic!("{note}"),
            };
            to.push_str(&text(&params["chunk"]));
        }
        ended.seqs.push(closed["params"]["seq"].as_u64().expect("a number"));
        ended
    }

    /// Waits until what a process has written ends in `end`. What was told of it stays.
    pub(crate) async fn until(&mut self, id: &str, end: &str) -> String {
        loop {
            let output = self.notes.iter().filter(|note| note["method"] == "process/output" && note["params"]["processId"] == id);
            let all: String = output.map(|note| text(&note["params"]["chunk"])).collect();
            if all.ends_with(end) {
                return all;
            }
            self.take().await;
        }
    }

    /// Writes to a process. Returns what came of it.
    pub(crate) async fn types(&mut self, id: &str, input: &str) -> String {
        let params = json!({ "processId": id, "chunk": base64(input), "writeId": format!("write-{}", self.last) });
        let status = self.call("process/write", params).await["status"].clone();
        status.as_str().expect("a status").to_owned()
    }

    /// Drops the server in the middle.
    pub(crate) async fn abort(self) {
        self.served.abort();
        assert!(self.served.await.is_err_and(|error| error.is_cancelled()));
    }

    /// Stops the server, and waits until it has ended.
    pub(crate) async fn stop(self) -> Result<(), ServeError> {
        drop(self.stop);
        self.served.await.expect("no panic")
    }

    /// Goes away without a word, and waits until the server has ended.
    pub(crate) async fn vanish(self) -> Result<(), ServeError> {
        let Self { peer, served, stop, .. } = self;
        drop(peer);
        let ended = served.await.expect("no panic");
        drop(stop);
        ended
    }

    /// Closes its side, and waits until the server has ended.
    pub(crate) async fn close(self) -> Result<(), ServeError> {
        let Self { mut peer, served, stop, .. } = self;
        peer.end().await;
        let ended = served.await.expect("no panic");
        drop((peer, stop));
        ended
    }
}

/// The parameters that start a script, with these besides.
pub(crate) fn script_of(id: &str, script: &str, more: Value) -> Value {
    let mut params = json!({
        "processId": id, "argv": ["/bin/bash", "-lc", script], "cwd": "file:///home/user", "env": {}, "tty": false, "pipeStdin": false,
        "arg0": null, "sandbox": null, "envPolicy": null, "enforceManagedNetwork": false, "managedNetwork": null,
    });
    let Value::Object(more) = more else { panic!("{more}") };
    params.as_object_mut().expect("an object").extend(more);
    params
}

pub(crate) fn base64(text: impl AsRef<[u8]>) -> String {
    STANDARD.encode(text)
}

/// The bytes of a base64 text.
pub(crate) fn bytes(base64: &Value) -> Vec<u8> {
    STANDARD.decode(base64.as_str().expect("a text")).expect("base64")
}

/// The text of a base64 text.
pub(crate) fn text(base64: &Value) -> String {
    String::from_utf8(bytes(base64)).expect("text")
}
