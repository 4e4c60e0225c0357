//! After a living interpreter has used a secret, nothing of the host that outlives the request contains it.

use std::path::Path;
use std::sync::Arc;

use wisp::policy::HostFiles;
use wisp::{Engine, Policy};
use wisp_tests::container::Container;
use wisp_tests::server::{Names, Server};

const VALUE: &str = "s3cr3t-value-of-the-host";

/// It reaches its host, and is not in what the guest sees, its output, a snapshot's file, or a receipt.
pub(super) async fn is_nowhere_but_at_its_host(engine: &Engine, folder: &Path) -> Result<(), String> {
    let server = Server::start(&["web.test"]).await;
    let ca = folder.join("ca.pem");
    std::fs::write(&ca, &server.ca).expect("a scratch folder can be written");
    let policy = format!(
        "extends = \"offline\"\n[network]\nca = \"{}\"\nallow = [{{ url = \"https://web.test:{}/\", allow_private = true }}]\n\
         [[network.secret]]\nhost = \"web.test\"\nvalue_from_env = \"TOKEN\"\nheader = \"Authorization\"\nformat = \"Bearer {{}}\"\n",
        ca.display(),
        server.https
    );
    let policy = Policy::parse(&HostFiles, "test.toml", &policy).map_err(|error| error.to_string())?;
    let names = Names::new().with("web.test", &[&["127.0.0.1"]]);
    let session =
        engine.session(&policy).resolver(Arc::new(names)).secret("TOKEN", VALUE).build().await.map_err(|error| error.to_string())?;
    let mut interpreter = session.python().await.map_err(|error| error.to_string())?;
    let source = format!(
        "import os, requests; token = os.environ['TOKEN']\n\
         answer = requests.get('https://web.test:{}/echo', headers={{'Authorization': 'Bearer ' + token}})\n\
         print(token); print(answer.text)",
        server.https
    );
    let cell = interpreter.eval(&source).await.map_err(|error| error.to_string())?;
    let seen = server.seen().pop().ok_or_else(|| cell.outcome.stderr_text().into_owned())?;
    let sent = seen.header("authorization");
    if sent != Some(&format!("Bearer {VALUE}")) {
        return Err(format!("the server was sent {sent:?}"));
    }
    let printed = cell.stdout_text().into_owned();
    let placeholder = printed.lines().next().unwrap_or_default().to_owned();
    let snapshot = interpreter.snapshot().await.map_err(|error| error.to_string())?;
    let file = snapshot.save(Vec::new()).await.map_err(|error| error.to_string())?;
    let Container { facts, memory, files, .. } = Container::read(&file);
    let file = [facts.to_string().into_bytes(), memory, files].concat();
    let holds = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    // What the guest holds of it is in the file, so the value would be found there as well.
    if placeholder.len() < 8 || !holds(&file, &placeholder) {
        return Err(format!("the placeholder `{placeholder}` is not in the snapshot's file"));
    }
    let receipts = format!("{:?}", cell.outcome.receipts);
    if !receipts.contains("TOKEN") {
        return Err(format!("no receipt names the secret: {receipts}"));
    }
    for (what, bytes) in [("snapshot's file", &file[..]), ("output", printed.as_bytes()), ("receipts", receipts.as_bytes())] {
        if holds(bytes, VALUE) {
            return Err(format!("the value is in the {what}"));
        }
    }
    Ok(())
}
