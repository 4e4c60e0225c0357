//! Addresses of names: every address is checked, and the checked one is connected to.

use wisp_net::Code;
use wisp_tests::server::Names;

use super::kit::{Kit, names};

fn rule(url: &str, more: &str) -> String {
    format!("[network]\nallow = [{{ url = \"{url}\"{more} }}]\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_not_public_needs_the_policys_word() {
    for (more, allowed) in [
        ("", false),
        (", allow_private = true", true),
        (", addresses = [\"127.0.0.1\"]", true),
        (", addresses = [\"127.0.0.0/8\"]", true),
        (", addresses = [\"127.0.0.2\", \"::1\"]", false),
    ] {
        let kit = Kit::new(&rule("https://a.example:HTTPS/", more)).await;
        match kit.get("https://a.example/").await {
            Ok((status, _)) => assert!(allowed && status == 200, "{more}"),
            Err(failure) => {
                assert!(!allowed && failure.code == Code::AddressProhibited, "{more}: {failure:?}");
                assert!(failure.reason.contains("the host's address is loopback") && failure.rule() == "p.toml:2", "{failure:?}");
                let attempt = kit.attempts.last();
                // The guest does not learn which one; the receipt names it.
                assert!(!failure.to_string().contains("127.0.0.1") && !failure.help.unwrap().contains("127.0.0.1"));
                assert!(attempt.failure.as_ref().unwrap().contains("the host's address 127.0.0.1 is loopback"), "{attempt:?}");
                assert!(!attempt.allowed && attempt.rule == "p.toml:2" && attempt.address.is_none());
                assert_eq!(kit.server.connections().0, 0);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_for_an_address_names_it() {
    let kit = Kit::new(&rule("https://127.0.0.1:HTTPS/", "")).await;
    assert_eq!(kit.get("https://127.0.0.1/").await.unwrap().0, 200);
    assert_eq!(kit.fails("https://localhost/").await.code, Code::Denied);
    let kit = Kit::new(&rule("http://[::ffff:127.0.0.1]:HTTP/", "")).await;
    assert_eq!(kit.get("http://[::ffff:7f00:1]/").await.unwrap().0, 200);
    // Another spelling of it is another host.
    assert_eq!(kit.fails("http://127.0.0.1/").await.code, Code::Denied);
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_that_carry_an_address_are_what_they_carry() {
    for address in ["::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::1", "10.0.0.1", "100.64.0.1", "fd00::1"] {
        let names = Names::new().with("a.example", &[&[address]]);
        let kit = Kit::with(&rule("http://a.example:HTTP/", ""), names, &[]).await;
        assert_eq!(kit.fails("http://a.example/").await.code, Code::AddressProhibited, "{address}");
    }
    // General permissions do not include these.
    for address in [
        "169.254.169.254",
        "169.254.170.23",
        "169.254.1.1",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fe80::1",
        "fe80::a9fe:a9fe",
        "::ffff:169.254.169.254",
        "0.0.0.0",
        "::",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
    ] {
        let names = || Names::new().with("a.example", &[&[address]]);
        let kit = Kit::with(&rule("http://a.example:HTTP/", ", allow_private = true"), names(), &[]).await;
        let failure = kit.fails("http://a.example/").await;
        assert_eq!(failure.code, Code::AddressProhibited, "{address}");
        assert!(!failure.help.unwrap().contains("allow_private"));
        // The twin: allowing their own address permits them, whether the address is reachable or not; the test does
        // not wait to find out.
        let more = format!(", addresses = [\"{address}\"] }}]\nconnect_timeout = \"10ms\"\n#");
        let kit = Kit::with(&rule("http://a.example:HTTP/", &more), names(), &[]).await;
        let code = kit.get("http://a.example/").await.err().map(|failure| failure.code);
        assert_ne!(code, Some(Code::AddressProhibited), "{address}");
        assert!(kit.attempts.last().allowed);
    }
    // The mapped form of this machine's address, if allowed, does lead there.
    let names = Names::new().with("a.example", &[&["::ffff:127.0.0.1"]]);
    let kit = Kit::with(&rule("http://a.example:HTTP/", ", allow_private = true"), names, &[]).await;
    assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_changes_its_mind_is_looked_at_each_time() {
    let rules = rule("http://a.example:HTTP/", ", addresses = [\"127.0.0.1\"]");
    let rebinding = Names::new().with("a.example", &[&["127.0.0.1"], &["127.0.0.2"], &["127.0.0.1"]]);
    let kit = Kit::with(&rules, rebinding, &[]).await;
    assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
    assert_eq!(kit.fails("http://a.example/").await.code, Code::AddressProhibited);
    assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
    // An answer that contains one internal address is refused as a whole, whatever its order.
    for answer in [&["127.0.0.1", "127.0.0.2"][..], &["127.0.0.2", "127.0.0.1"]] {
        let kit = Kit::with(&rules, Names::new().with("a.example", &[answer]), &[]).await;
        assert_eq!(kit.fails("http://a.example/").await.code, Code::AddressProhibited);
        assert_eq!(kit.server.connections().0, 0);
    }
    // Two allowed addresses: the second is tried if the first does not respond.
    let both = rule("http://a.example:HTTP/", ", addresses = [\"127.0.0.0/8\"]");
    let kit = Kit::with(&both, Names::new().with("a.example", &[&["127.9.9.9", "127.0.0.1"]]), &[]).await;
    assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_without_an_address_and_ports_without_a_listener() {
    let kit = Kit::with(&rule("http://*.a.example:HTTP/", ", allow_private = true"), names(), &[]).await;
    let failure = kit.fails("http://nobody.a.example/").await;
    assert_eq!((failure.code.clone(), failure.rule()), (Code::NameUnknown, ""));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let kit = Kit::new(&rule(&format!("http://a.example:{closed}/"), ", allow_private = true")).await;
    assert_eq!(kit.fails(&format!("http://a.example:{closed}/")).await.code, Code::ConnectionRefused);
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_are_those_of_the_name() {
    let rules = "[network]\nallow = [{ url = \"https://*.other.example:HTTPS/\", allow_private = true }, { url = \"https://a.example:HTTPS/\", allow_private = true }]";
    let kit = Kit::with(rules, names().with("x.other.example", &[&["127.0.0.1"]]), &[]).await;
    let failure = kit.fails("https://x.other.example/").await;
    assert_eq!(failure.code, Code::TlsCertificate, "{failure:?}");
    assert_eq!(kit.get("https://a.example/").await.unwrap().0, 200);
    assert_eq!(kit.server.seen().len(), 1);
    // TLS to a port that does not speak it.
    let plain = rules.replace("HTTPS", "HTTP") + "\nconnect_timeout = \"200ms\"";
    let (net, _) = Kit::net(&kit.server, &plain, names(), &[]);
    let request = kit.request(&format!("https://a.example:{}/", kit.server.http));
    let failure = super::kit::send(&net, request).await.err().unwrap();
    assert!(matches!(failure.code, Code::TlsProtocol | Code::ConnectionTerminated | Code::ConnectionTimeout), "{failure:?}");
}
