//! The HTTP clients of a session, against a local server: each script in `net_guests/` with its expected output
//! beside it; `HTTP` and `HTTPS` name the server. `WISP_BLESS=1` writes the `.out` files: read the diff.
//!
//! A script whose name begins with `offline_` runs without `[network]`, all others under `POLICY`. One that begins
//! with `hasty_` waits only a fifth of a second for the first byte of a response. One that begins with `index_` runs under
//! `INDEX` alone, one that begins with `private_` under `PRIVATE`.

mod adapter;
mod answers;
mod index;
mod secret;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use wisp::policy::HostFiles;
use wisp::{Command, Interpreter, Policy, Session};
use wisp_tests::engine::ENGINE;
use wisp_tests::script;
use wisp_tests::server::{Names, Server};

/// `web.test` is the server. Its neighbours fail in one way each; `denied.test` is in no rule.
const POLICY: &str = r#"
[network]
allow = [
    { url = "http://web.test:{http}/", methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], allow_private = true },
    { url = "https://web.test:{https}/", methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], allow_private = true },
    { url = "https://stranger.test:{https}/", allow_private = true },
    { url = "https://web.test:{rude}/", allow_private = true },
    { url = "http://nowhere.test/" },
    { url = "http://private.test:{http}/" },
    { url = "http://refused.test:1/", allow_private = true },
    { url = "http://reader.test:{http}/", allow_private = true },
    { url = "http://only.test:{http}/status/", allow_private = true },
]
max_requests = 1000
max_response = "16MiB"
max_request = "4MiB"
ca = "{ca}"
"#;

/// A policy that names a package index; the rule says that its host may be this machine.
const INDEX: &str = r#"
[python]
index = "http://web.test:{http}/simple/"

[network]
ca = "{ca}"
allow = [
    { url = "http://web.test:{http}/simple/", allow_private = true },
    { url = "https://web.test:{https}/simple/", allow_private = true },
]
"#;

/// A policy that names a package index, and nothing that lets its host be this machine.
const PRIVATE: &str = r#"
[python]
index = "http://web.test:{http}/simple/"
"#;

/// Where the scripts are.
fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("net_guests")
}

/// The setting of a run: a session with the server in its environment; `lines` are added to `POLICY`, None for no
/// network.
async fn session(server: &Server, rude: u16, folder: &Path, lines: Option<&str>) -> Session {
    let ca = folder.join("ca.pem");
    fs::write(&ca, &server.ca).expect("a scratch folder can be written");
    let (http, https) = (server.http.to_string(), server.https.to_string());
    let rude = rude.to_string();
    let fill = |text: &str| {
        text.replace("{rude}", &rude).replace("{http}", &http).replace("{https}", &https).replace("{ca}", &ca.display().to_string())
    };
    let network = match lines {
        None => String::new(),
        Some("index") => fill(INDEX),
        Some("private") => fill(PRIVATE),
        Some(lines) => fill(POLICY) + lines,
    };
    let variables = format!(
        "[env.vars]\nHTTP = \"http://web.test:{http}\"\nHTTPS = \"https://web.test:{https}\"\nPORT = \"{http}\"\nTLS_PORT = \"{https}\"\nRUDE_PORT = \"{rude}\"\n"
    );
    let text = format!("extends = \"offline\"\n{network}\n{variables}");
    let policy = Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let here: &[&[&str]] = &[&["127.0.0.1"]];
    let names = ["web.test", "stranger.test", "private.test", "refused.test", "reader.test", "only.test", "denied.test"];
    let resolver = names.iter().fold(Names::new(), |known, name| known.with(name, here));
    let builder =
        ENGINE.session(&policy).resolver(Arc::new(resolver)).mount(cases().display().to_string(), "/mnt/cases", wisp::policy::Access::Read);
    let session = builder.build().await.unwrap_or_else(|error| panic!("{error}"));
    session.compile().await.unwrap_or_else(|error| panic!("{error}")); // not within the time that a script has
    session
}

/// A port that answers every connection unencrypted.
async fn rude() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await; // it may be gone
        }
    });
    port
}

async fn check(path: &Path) -> Result<(), String> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("a script whose name is not UTF-8")?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let server = Server::start(&["web.test"]).await;
    server.also(answers::answer);
    let rude = rude().await;
    let lines = match name.split_once('_') {
        Some(("offline", _)) => None,
        Some(("index", _)) => Some("index"),
        Some(("private", _)) => Some("private"),
        Some(("hasty", _)) => Some("first_byte_timeout = \"200ms\"\n"),
        _ => Some(""),
    };
    let session = session(&server, rude, scratch.path(), lines).await;
    let program = if name.ends_with(".py") { "python3" } else { "sh" };
    let outcome = session.run(Command::new(program).arg(format!("/mnt/cases/{name}"))).await.map_err(|error| error.to_string())?;
    let found = settled(&outcome.stdout_text(), &server).replace(&rude.to_string(), "RUDEPORT");
    let expected = path.with_extension("out");
    if outcome.exit_code() != 0 {
        return Err(format!("exit status {}\n{}", outcome.exit_code(), outcome.stderr_text()));
    }
    if std::env::var_os("WISP_BLESS").is_some() {
        return fs::write(&expected, &found).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&expected).map_err(|_| format!("no .out beside the script. It printed:\n{found}"))?;
    match found == expected {
        true => Ok(()),
        false => Err(format!("{}\nstandard error:\n{}", script::first_difference(&expected, &found), outcome.stderr_text())),
    }
}

/// A living interpreter: its connections between cells, and what forks inherit of them and of SQLite's randomness.
async fn interpreters() -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let server = Server::start(&["web.test"]).await;
    let session = session(&server, rude().await, scratch.path(), Some("")).await;
    let mut parent = session.python().await.map_err(|error| error.to_string())?;
    let mut steps: Vec<(String, &str)> = Vec::new();
    say(&mut parent, "import os, requests, sqlite3; web = requests.Session(); HTTP = os.environ['HTTP']", &mut steps, "").await?;
    say(&mut parent, "print(web.get(HTTP + '/hello').text)", &mut steps, "ok\n\n").await?;
    say(&mut parent, "import httpx; client = httpx.AsyncClient(); (await client.get(HTTP + '/hello')).text", &mut steps, "").await?;
    let random = "sqlite3.connect(':memory:').execute('select random()').fetchone()";
    say(
        &mut parent,
        &format!("{random}; opened = web.get(HTTP + '/endless', stream=True); pieces = opened.iter_content(10); print(len(next(pieces)))"),
        &mut steps,
        "10\n",
    )
    .await?;
    let snapshot = parent.snapshot().await.map_err(|error| error.to_string())?;
    steps.push((format!("{:?}", snapshot.not_carried()), "connection to web.test"));
    let (mut one, mut other) =
        (snapshot.fork().await.map_err(|error| error.to_string())?, snapshot.fork().await.map_err(|error| error.to_string())?);
    say(&mut one, "print(web.get(HTTP + '/hello').text)", &mut steps, "ok\n\n").await?;
    say(&mut one, "(await client.get(HTTP + '/hello')).text", &mut steps, "").await?;
    let ask = format!("print(*{random})");
    let mut numbers = Vec::new();
    for interpreter in [&mut one, &mut other, &mut parent] {
        numbers.push(interpreter.eval(&ask).await.map_err(|error| error.to_string())?.stdout_text().into_owned());
    }
    numbers.dedup();
    steps.push((numbers.len().to_string(), "3"));
    match steps.iter().find(|(found, expected)| !found.contains(expected)) {
        None => Ok(()),
        Some((found, expected)) => Err(format!("found {found:?}, expected {expected:?}")),
    }
}

/// A cell that must succeed, and its expected output.
async fn say<'a>(interpreter: &mut Interpreter, source: &str, steps: &mut Vec<(String, &'a str)>, expected: &'a str) -> Result<(), String> {
    let cell = interpreter.eval(source).await.map_err(|error| error.to_string())?;
    if !cell.success() {
        return Err(format!("{source}\n{}", cell.outcome.stderr_text()));
    }
    steps.push((cell.stdout_text().into_owned(), expected));
    Ok(())
}

/// The output without the parts that differ between runs.
fn settled(text: &str, server: &Server) -> String {
    text.replace(&server.https.to_string(), "TLSPORT").replace(&server.http.to_string(), "PORT")
}

pub(crate) fn trials() -> Vec<Trial> {
    let runtime = Arc::new(tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime"));
    let scripts = script::discover(&cases()).into_iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let runtime = runtime.clone();
        Trial::test(format!("net_guests/{name}"), move || runtime.block_on(check(&path)).map_err(Failed::from))
    });
    let living = Trial::test("net_guests/interpreters", {
        let runtime = runtime.clone();
        move || runtime.block_on(interpreters()).map_err(Failed::from)
    });
    let secret = Trial::test("net_guests/secret", {
        let runtime = runtime.clone();
        move || {
            let scratch = tempfile::tempdir()?;
            runtime.block_on(secret::is_nowhere_but_at_its_host(&ENGINE, scratch.path())).map_err(Failed::from)
        }
    });
    let adapter = Trial::test("net_guests/adapter", {
        let runtime = runtime.clone();
        move || runtime.block_on(adapter::counts_the_requests_of_each_process(&ENGINE)).map_err(Failed::from)
    });
    let nothing = Trial::test("net_guests/adapter-without-network", {
        let runtime = runtime.clone();
        move || runtime.block_on(adapter::gains_nothing(&ENGINE)).map_err(Failed::from)
    });
    scripts.chain([living, secret, adapter, nothing]).collect()
}
