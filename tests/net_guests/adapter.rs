//! The example of a component in front of an import, `components/example-adapter`: it counts a process's requests, and tells the server.

use std::sync::Arc;

use wisp::policy::HostFiles;
use wisp::{Command, Engine, Policy, Session};
use wisp_tests::server::{Names, Server};

/// A session with the example in front of every tool's requests, to the server or to nothing.
async fn session(engine: &Engine, server: &Server, network: bool) -> Result<Session, String> {
    let component = wisp_built::folder().join("adapters/example-adapter.wasm");
    let rule = format!(
        "[network]\nallow = [{{ url = \"http://web.test:{}/\", methods = [\"GET\", \"POST\"], allow_private = true }}]\n",
        server.http
    );
    let policy = format!(
        "extends = \"offline\"\n{}[imports]\n\"wasi:http/outgoing-handler\" = {{ component = \"{}\" }}\n[env.vars]\nAT = \"http://web.test:{}\"\n",
        if network { rule.as_str() } else { "" },
        component.display(),
        server.http
    );
    let policy = Policy::parse(&HostFiles, "test.toml", &policy).map_err(|error| error.to_string())?;
    let names = Names::new().with("web.test", &[&["127.0.0.1"]]).with("denied.test", &[&["127.0.0.1"]]);
    let session = engine.session(&policy).resolver(Arc::new(names)).build().await.map_err(|error| error.to_string())?;
    session.compile().await.map_err(|error| error.to_string())?; // not within the time that a command has
    Ok(session)
}

/// What the requests since the last call had in its header, in order.
fn counts(server: &Server, from: &mut usize) -> Vec<Option<String>> {
    let seen = server.seen();
    let new = seen[*from..].iter().map(|request| request.header("x-audit-count").map(str::to_owned)).collect();
    *from = seen.len();
    new
}

fn is<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, not {expected:?}")) }
}

/// It stands between each process and the gate, and has an instance of its own in each.
pub(super) async fn counts_the_requests_of_each_process(engine: &Engine) -> Result<(), String> {
    let server = Server::start(&["web.test"]).await;
    let (session, mut from) = (session(engine, &server, true).await?, 0);
    let one = |number: &str| Some(number.to_owned());
    let run = async |script: &str| session.run(Command::new("sh").args(["-c", script])).await.map_err(|error| error.to_string());

    let outcome = run("curl -sS $AT/echo $AT/echo >/dev/null").await?;
    is("two requests of one process", counts(&server, &mut from), vec![one("1"), one("2")])?;
    is("its status", (outcome.exit_code(), outcome.stderr_text().as_ref()), (0, ""))?;
    run("curl -sS $AT/echo >/dev/null; wget -qO- $AT/echo >/dev/null; curl -sS -d body $AT/echo").await?;
    is("three processes; a body belongs to the program", counts(&server, &mut from), vec![one("1"), one("1"), None])?;

    // The gate decides after it, and says whose the request was.
    let outcome = run("curl -sS http://denied.test/").await?;
    is("another host", (outcome.exit_code() != 0, counts(&server, &mut from)), (true, vec![]))?;
    if !outcome.receipts.iter().any(|receipt| receipt.subject.contains("denied.test")) {
        return Err(format!("no receipt of the request to another host: {:?}", outcome.receipts));
    }

    // An interpreter is one process; a fork of it is another, in which the component begins anew.
    let mut python = session.python().await.map_err(|error| error.to_string())?;
    let ask = "import os, urllib.request as r; r.urlopen(os.environ['AT'] + '/echo').status";
    for _ in 0..2 {
        let cell = python.eval(ask).await.map_err(|error| error.to_string())?;
        is("a cell", cell.value.as_deref(), Some("200"))?;
    }
    let mut fork = python.fork(1).await.map_err(|error| error.to_string())?.remove(0);
    let cell = fork.eval("r.urlopen(os.environ['AT'] + '/echo').status").await.map_err(|error| error.to_string())?;
    is("a cell of the fork", cell.value.as_deref(), Some("200"))?;
    python.eval(ask).await.map_err(|error| error.to_string())?;
    is("an interpreter and its fork", counts(&server, &mut from), vec![one("1"), one("2"), one("1"), one("3")])?;

    // A second thread could enter the component while the first waits in it.
    let threads = "import threading\ntry: threading.Thread(target=print).start()\nexcept RuntimeError as error: print(error)";
    let cell = python.eval(threads).await.map_err(|error| error.to_string())?;
    is("a thread", cell.stdout_text().contains("can't start new thread"), true)
}

/// It cannot give what the policy does not.
pub(super) async fn gains_nothing(engine: &Engine) -> Result<(), String> {
    let server = Server::start(&["web.test"]).await;
    let session = session(engine, &server, false).await?;
    let outcome = session.run(Command::new("sh").args(["-c", "curl -sS $AT/echo"])).await.map_err(|error| error.to_string())?;
    is("a request without a network", (outcome.exit_code() != 0, server.seen().len()), (true, 0))?;
    if !outcome.receipts.iter().any(|receipt| receipt.subject.contains("wasi:http/outgoing-handler")) {
        return Err(format!("no receipt of the denied call: {:?}", outcome.receipts));
    }
    Ok(())
}
