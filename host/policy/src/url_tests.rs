use super::*;

#[test]
fn urls_of_rules() {
    for good in
        ["https://api.github.com/repos/", "http://*.example.com", "https://localhost:8080", "https://[::1]:80/x", "https://127.0.0.1/"]
    {
        assert!(UrlPattern::parse(good).is_ok(), "{good}");
    }
    for bad in [
        "api.github.com",
        "ftp://x/",
        "https://",
        "https://x?y",
        "https://a@b/",
        "https://a:0/",
        "https://a:b/",
        "https://a:+1/",
        "https://*/",
        "https://*.",
        "https://a/../b",
        "https://a/%2e%2e/b",
        "https://a/..%2fb/",
        "https://[::g]/",
        "https://a b/",
        "https://a/%zz",
    ] {
        assert!(UrlPattern::parse(bad).is_err(), "{bad}");
    }
}

fn allows(rule: &str, scheme: Scheme, authority: &str, path: &str) -> bool {
    let target = Target::new(scheme, authority, path);
    target.is_ok_and(|target| UrlPattern::parse(rule).unwrap().matches(&target))
}

#[test]
fn the_server_is_compared_part_by_part() {
    let rule = "https://example.com/";
    for same in ["example.com", "EXAMPLE.COM", "example.com.", "example.com:443", "example.com:00443"] {
        assert!(allows(rule, Scheme::Https, same, "/a"), "{same}");
    }
    for other in [
        "example.com:80",
        "example.com:8443",
        "example.com@evil.net",
        "evil.net@example.com",
        "example.com:",
        "example.com:x",
        "sub.example.com",
        "example.com.evil.net",
        "example.com%2eevil.net",
        "example.com\\@evil.net",
        "example.com#@evil.net",
        "",
    ] {
        assert!(!allows(rule, Scheme::Https, other, "/a"), "{other}");
    }
    assert!(!allows(rule, Scheme::Http, "example.com:443", "/"));
    assert!(allows("http://example.com:8080/", Scheme::Http, "example.com:8080", "/"));
}

#[test]
fn paths_begin_at_a_boundary_after_all_dots_are_gone() {
    let rule = "https://h.example/repos/wisp";
    for good in [
        "/repos/wisp",
        "/repos/wisp/",
        "/repos/wisp/a?b=/../..",
        "/repos/%77isp/a",
        "/x/../repos/wisp",
        "/repos/./wisp",
        "/repos/%2e/wisp/a..b",
    ] {
        assert!(allows(rule, Scheme::Https, "h.example", good), "{good}");
    }
    for bad in [
        "/repos/wispy",
        "/repos",
        "/",
        "",
        "/REPOS/wisp",
        "/repos/wisp/../other",
        "/repos/wisp/%2e%2e/other",
        "/repos/wisp/%2E./other",
        "/repos/wisp/..%2fother",
        "/repos/wisp/..%5cother",
        "/repos/wisp/%252e%252e/other",
        "/repos/wisp/a%2f..%2f..%2fother",
        "/repos/wisp/..;/other",
        "/repos/wisp/..%00/x",
        "/repos//wisp",
        "//repos/wisp",
        "/repos/wisp\\..\\x",
        "repos/wisp",
        "/repos/wisp\r\nx: y",
        "/repos/wisp /",
        "/repos/wisp#x",
        "/repos/wisp/%zz",
        "/repos/wisp/%2",
    ] {
        assert!(!allows(rule, Scheme::Https, "h.example", bad), "{bad}");
    }
    assert!(allows("https://h.example/a/", Scheme::Https, "h.example", "/a/b"));
    assert!(!allows("https://h.example/a/", Scheme::Https, "h.example", "/a"));
    assert!(allows("https://h.example", Scheme::Https, "h.example", "/a%2f..%2fb"));
}

#[test]
fn what_is_sent_has_no_dots() {
    for (written, sent) in [
        ("", "/"),
        ("/a/./b", "/a/b"),
        ("/a/../b", "/b"),
        ("/../../b", "/b"),
        ("/a/b/..", "/a/"),
        ("/a/b/.", "/a/b/"),
        ("/%61/%2E%2e/c%2Fd", "/c%2Fd"),
        ("/a//../b", "/a/b"),
        ("/a/...", "/a/..."),
        ("/.", "/"),
        ("/..", "/"),
        ("/%7Ea", "/%7Ea"),
    ] {
        assert_eq!(UrlPath::parse(written).unwrap().as_str(), sent, "{written}");
    }
}
