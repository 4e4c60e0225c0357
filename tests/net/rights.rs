//! Rights decrease on the way down: what a tool may not do, nothing that it starts may do, however it is started.
//! `runner` is a custom tool, a shell without the network; its twin has the network and does the same.

use std::sync::Arc;

use wisp::policy::HostFiles;
use wisp::{Command, Engine, Outcome, Policy, ReceiptKind, Session, Verdict};
use wisp_tests::server::{Names, Server};

const VALUE: &str = "s3cr3t-value-of-the-host";

/// The line of the policy with `network = `.
const RULE: &str = "p.toml:8";

/// Ways to start a program that sends a request to `$URL`.
const WAYS: [&str; 14] = [
    "curl -sS $URL",
    "exec curl -sS $URL",
    "env curl -sS $URL",
    "echo $URL | xargs curl -sS",
    "sh -c 'sh -c \"curl -sS $URL\"'",
    "sh -c 'exec sh -c \"exec curl -sS $URL\"'",
    "(curl -sS $URL) & wait",
    "printf '#!/bin/sh\\ncurl -sS $URL\\n' > /tmp/s; chmod +x /tmp/s; /tmp/s",
    "printf '#!/usr/bin/env sh\\ncurl -sS $URL\\n' > /tmp/s; chmod +x /tmp/s; exec env -i URL=$URL /tmp/s",
    "timeout 20 curl -sS $URL",
    "wget -nv -O - $URL",
    "fetch -sS $URL",
    "python3 -c \"import os, urllib.request; print(urllib.request.urlopen(os.environ['URL']).read().decode())\"",
    "python3 -c \"import os, subprocess; subprocess.run(['curl', '-sS', os.environ['URL']])\"",
];

struct Rights {
    server: Server,
    engine: Engine,
    session: Session,
    _folder: tempfile::TempDir,
}

/// A session whose tool `runner` has the network or not; `fetch`, a custom curl, has it.
async fn rights(network: bool) -> Rights {
    let server = Server::start(&["web.test"]).await;
    let folder = tempfile::tempdir().unwrap();
    let ca = folder.path().join("ca.pem");
    std::fs::write(&ca, &server.ca).unwrap();
    let components = wisp_built::folder();
    let (http, https) = (server.http, server.https);
    let policy = format!(
        "extends = \"offline\"\n\n[env.vars]\nURL = \"http://web.test:{http}/hello\"\nTLS = \"https://web.test:{https}/echo\"\n\n\
         [tools.custom.runner]\nnetwork = {network}\npath = \"{sh}\"\n[tools.custom.fetch]\nnetwork = true\npath = \"{curl}\"\n\
         [network]\nca = \"{ca}\"\nallow = [\n  {{ url = \"http://web.test:{http}/\", allow_private = true }},\n  \
         {{ url = \"https://web.test:{https}/\", allow_private = true }},\n]\n\
         [[network.secret]]\nhost = \"web.test\"\nvalue_from_env = \"TOKEN\"\nheader = \"Authorization\"\n",
        sh = components.join("sh.wasm").display(),
        curl = components.join("curl.wasm").display(),
        ca = ca.display(),
    );
    let policy = Policy::parse(&HostFiles, "p.toml", &policy).unwrap_or_else(|error| panic!("{error}\n{policy}"));
    let engine = Engine::new(wisp_built::components()).expect("an engine");
    let names = Names::new().with("web.test", &[&["127.0.0.1"]]);
    let session = engine.session(&policy).resolver(Arc::new(names)).secret("TOKEN", VALUE).build().await.unwrap();
    session.compile().await.unwrap(); // not within the time that a command has
    Rights { server, engine, session, _folder: folder }
}

async fn run(rights: &Rights, program: &str, script: &str) -> Outcome {
    rights.session.run(Command::new(program).args(["-c", script])).await.unwrap()
}

/// The denials by the rule that removed the network.
fn denials(outcome: &Outcome) -> usize {
    let denied = outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Http && receipt.verdict == Verdict::Denied);
    denied.inspect(|receipt| assert_eq!((receipt.rule.as_str(), receipt.process > 0), (RULE, true), "{receipt:?}")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_tool_may_not_do_nothing_that_it_starts_may() {
    let (with, without) = (rights(true).await, rights(false).await);
    for way in WAYS {
        let outcome = run(&without, "runner", way).await;
        let said = outcome.stdout_text().into_owned() + &outcome.stderr_text();
        assert!(said.contains("the tool `runner` has no network, and what it starts has none either (p.toml:8)"), "{way}: {said}");
        assert!(denials(&outcome) > 0, "{way}: {:?}", outcome.receipts);
        assert_eq!(without.server.connections().0, 0, "{way}");
        // The twin: the same tool with `network = true`.
        let before = with.server.seen().len();
        let outcome = run(&with, "runner", way).await;
        assert!(outcome.stdout_text().contains("ok\n"), "{way}: {} {}", outcome.stdout_text(), outcome.stderr_text());
        assert_eq!((with.server.seen().len(), denials(&outcome)), (before + 1, 0), "{way}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rights_belong_to_one_process_alone() {
    let rights = rights(false).await;
    // A process that starts the tool keeps its rights; a process that becomes the tool loses them.
    let script = "runner -c 'curl -sS $URL'; curl -sS $URL; exec runner -c 'exec curl -sS $URL'";
    let outcome = run(&rights, "sh", script).await;
    assert_eq!((outcome.stdout_text().as_ref(), denials(&outcome)), ("ok\n", 2), "{}", outcome.stderr_text());
    // A script that names the tool as its interpreter runs with the tool's rights.
    let script = "printf '#!/usr/bin/runner\\ncurl -sS $URL\\n' > s; chmod +x s; ./s; sed -i s/runner/sh/ s; ./s";
    let outcome = run(&rights, "sh", script).await;
    assert_eq!((outcome.stdout_text().as_ref(), denials(&outcome)), ("ok\n", 1), "{}", outcome.stderr_text());
    // Both ends of a pipe, one without the network and one with it.
    let outcome = run(&rights, "sh", "runner -c 'echo $URL; curl -sS $URL' | xargs curl -sS").await;
    assert_eq!((outcome.stdout_text().as_ref(), denials(&outcome)), ("ok\n", 1), "{}", outcome.stderr_text());
    assert_eq!(rights.server.seen().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_network_there_are_no_placeholders() {
    const ASK: &str = "env; sh -c env; python3 -c 'import os; print(os.environ)'";
    for network in [false, true] {
        let rights = rights(network).await;
        let started = [
            run(&rights, "runner", ASK).await,
            run(&rights, "sh", &format!("export COPY=\"Bearer $TOKEN\"; runner -c \"{ASK}\"; exec runner -c \"{ASK}\"")).await,
        ];
        for outcome in started {
            assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
            let text = outcome.stdout_text().into_owned();
            assert_eq!(text.contains("wisp-secret-"), network, "{text}");
            assert!(text.contains("TLS=https://web.test"), "{text}");
        }
        // The arguments of another process are those that it sees otherwise too.
        let script = r#"python3 -c 'import time; time.sleep(60)' "Bearer $TOKEN" & runner -c "tr '\0' '\n' < /proc/$!/cmdline"; kill $!"#;
        let text = run(&rights, "sh", script).await.stdout_text().into_owned();
        assert_eq!((text.starts_with("python3\n-c\n"), text.contains("wisp-secret-")), (true, network), "{text}");
        // A secret is in the sandbox whatever tools there are, so the test searches for the right thing.
        let outcome = run(&rights, "sh", "curl -sS -H \"Authorization: $TOKEN\" $TLS").await;
        assert!(outcome.stdout_text().contains("authorization: ****"), "{}", outcome.stderr_text());
        assert_eq!(rights.server.seen().pop().unwrap().header("authorization"), Some(VALUE));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn explain_says_that_what_a_tool_starts_has_no_network() {
    for network in [false, true] {
        let rights = rights(network).await;
        let reason = |tool: &str| {
            let world = rights.session.worlds().find(|world| world.name() == tool).unwrap();
            let row = world.imports().iter().find(|row| row.interface.starts_with("wisp:sandbox/process"));
            row.unwrap().reason.clone()
        };
        let said = format!("without the network when this tool starts them ({RULE})");
        assert_eq!(reason("runner").contains(&said), !network, "{}", reason("runner"));
        assert!(!reason("sh").contains("without the network"));
        drop(rights.engine);
    }
}
