//! Which rule made a request fail, with policy files that have awkward names. Nothing here connects: the gate on
//! addresses denies first.

use core::net::IpAddr;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use wisp_policy::{NoFiles, Policy};

use super::{Attempt, By, Code, Failure, Net, NetParts, Observer, Request, RequestBody, Resolve, Roots, Secrets, Timeouts};

/// Resolves every name to this machine.
struct Inside;

#[async_trait::async_trait]
impl Resolve for Inside {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![IpAddr::from([127, 0, 0, 1])])
    }
}

struct Unseen;

impl Observer for Unseen {
    fn attempt(&self, _: &Attempt) {}
}

fn net(file: &str, policy: &str) -> Net {
    let policy = Policy::parse(&NoFiles, file, policy).unwrap_or_else(|errors| panic!("{errors}"));
    Net::new(NetParts {
        policy: policy.network().expect("the policy has a network").clone(),
        rule_of: Arc::new(move |key| policy.rule(key).to_string()),
        resolver: Arc::new(Inside),
        roots: Roots::public(),
        secrets: Secrets::default(),
        observer: Arc::new(Unseen),
        now: Arc::new(|| Duration::ZERO),
        wait: Arc::new(|_| Box::pin(std::future::pending())),
    })
}

async fn failure(net: &Net, host: &str) -> Failure {
    let request = Request {
        method: "GET".to_owned(),
        scheme: "http".to_owned(),
        authority: host.to_owned(),
        path_and_query: "/".to_owned(),
        headers: HeaderMap::new(),
        body: RequestBody::empty(),
        timeouts: Timeouts::default(),
    };
    let failed = match net.send(1, request) {
        Ok(pending) => pending.await.err(),
        Err(failure) => Some(failure),
    };
    failed.expect("no request gets out")
}

#[tokio::test]
async fn a_rule_of_a_file_named_as_a_key_keeps_its_line() {
    for file in ["network.toml", "network.max_requests", "p.toml"] {
        let net = net(file, "[network]\nmax_requests = 2\nallow = [\n    { url = \"http://a.example/\" },\n]\n");
        // Denied by a rule, after the gate on the request and before it; then by a limit that the file sets.
        let address = failure(&net, "a.example").await;
        assert_eq!((address.code.clone(), address.rule()), (Code::AddressProhibited, &*format!("{file}:4")));
        assert!(address.to_string().ends_with(&format!(" ({file}:4)")), "{address}");
        let other = failure(&net, "b.example").await;
        assert_eq!((other.code.clone(), other.rule()), (Code::Denied, &*format!("{file}:1")));
        assert_eq!(failure(&net, "a.example").await.code, Code::AddressProhibited);
        let limit = failure(&net, "a.example").await;
        assert_eq!((limit.code.clone(), &limit.by), (Code::Denied, &By::Rule(format!("{file}:2"))));
        assert!(limit.reason.contains("`network.max_requests`"), "{limit}");
    }
}

#[tokio::test]
async fn a_limit_that_no_file_sets_is_built_in() {
    let net = net("network.toml", "[network]\nallow = [{ url = \"http://a.example/\" }]\n");
    for _ in 0..100 {
        assert_eq!(failure(&net, "a.example").await.rule(), "network.toml:2");
    }
    let limit = failure(&net, "a.example").await;
    assert_eq!((limit.code.clone(), limit.rule()), (Code::Denied, "built in"));
    assert!(limit.reason.contains("`network.max_requests`"), "{limit}");
}
