//! Requests under rules, and a secret that the sandbox can use but not read.
//!
//! Run it with `cargo run --release -p wisp --example network -- HOST[:PORT] [CA.pem]`. It requests
//! `https://HOST/echo`, so HOST should be a server that sends a request back, such as the one of the tests. CA.pem is
//! for a certificate of your own.

#![allow(clippy::disallowed_methods, reason = "a program reads its arguments; the library does not")]

use wisp::policy::HostFiles;
use wisp::{Command, Components, Engine, Policy, ReceiptKind, Verdict};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let host = arguments.next().ok_or("name the server: HOST[:PORT]")?;
    let ca = arguments.next().map_or_else(String::new, |file| format!("ca = {file:?}"));
    let name = host.split(':').next().unwrap_or_default();

    // GET and HEAD below /echo of one host; a token that is sent only to this host, in this header.
    let policy = format!(
        r#"
        extends = "offline"
        [network]
        {ca}
        [[network.allow]]
        url = "https://{host}/echo"
        allow_private = true
        [[network.secret]]
        host = "{name}"
        header = "Authorization"
        value_from_env = "API_TOKEN"
        format = "Bearer {{}}"
        "#
    );
    let policy = Policy::parse(&HostFiles, "network-example.toml", &policy)?;

    let engine = Engine::new(Components::from_folder("target/components")?)?;
    // The value comes from the service's own store; without this line it would be the host's variable API_TOKEN.
    let session = engine.session(&policy).secret("API_TOKEN", "correct-horse").build().await?;
    let shell = |script: String| session.run(Command::new("sh").args(["-c".to_owned(), script]));

    // The sandbox has a placeholder, which is replaced by the value on the way out. Where the response repeats the
    // value, the sandbox sees asterisks.
    let outcome = shell(format!("curl -sS -H \"Authorization: $API_TOKEN\" https://{host}/echo | grep authorization")).await?;
    print!("sent: {}{}", outcome.stdout_text(), outcome.stderr_text());
    let outcome = shell("case $API_TOKEN in *horse*) echo the value;; *) echo a placeholder;; esac".to_owned()).await?;
    print!("in the sandbox: {}", outcome.stdout_text());

    // Another path or another method is refused, and the program sees the reason.
    let outcome = shell(format!("curl -sS https://{host}/admin; curl -sS -X POST https://{host}/echo")).await?;
    for line in outcome.stderr_text().lines().filter(|line| line.starts_with("curl:")) {
        println!("{}", line.replace(&host, "HOST"));
    }
    for receipt in outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Http && receipt.verdict == Verdict::Denied) {
        println!("receipt: {} denied by {}", receipt.subject.replace(&host, "HOST"), receipt.rule);
    }
    Ok(())
}
