//! What is read, and what is refused.

use super::*;

fn text(url: &str) -> String {
    Url::parse(url, false).map_or_else(|bad| format!("{bad:?}"), |url| url.text())
}

#[test]
fn what_is_left_out() {
    assert_eq!(text("example.com"), "http://example.com/");
    assert_eq!(text("HTTPS://Example.com:8443?q#f"), "https://Example.com:8443/?q#f");
    assert_eq!(text("ftp.example.com/x"), "Scheme(\"ftp\")");
    assert_eq!(text("file:///etc/passwd"), "Scheme(\"file\")");
    assert_eq!(text("localhost:"), "http://localhost/");
}

#[test]
fn userinfo_ends_at_the_last_at() {
    let url = Url::parse("http://a:b%40c@d@example.com/", false).expect("it is a URL");
    assert_eq!((url.user.as_deref(), url.password.as_deref(), url.host.as_str()), (Some("a"), Some("b@c@d"), "example.com"));
    assert_eq!(Url::parse("http://good.com#@evil.com/", false).expect("it is a URL").host, "good.com");
}

#[test]
fn hosts() {
    assert_eq!(text("http://bücher.example/"), "http://xn--bcher-kva.example/");
    assert_eq!(text("http://[2001:DB8::1]:80/"), "http://[2001:db8::1]:80/");
    assert_eq!(text("http://%65xample.com/"), "http://example.com/");
    for same in ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.01", "0x7f000001"] {
        assert_eq!(text(same), "http://127.0.0.1/", "{same}");
    }
    assert_eq!(text("http://256.1.1.1/"), "http://256.1.1.1/");
    for bad in ["http://exa%2fmple.com/", "http://[fe80::1%25eth0]/", "http://", "http:///x", "http://a b/"] {
        assert!(matches!(Url::parse(bad, false), Err(Bad::Host | Bad::Malformed)), "{bad}");
    }
    for bad in ["http://h:99999/", "http://h:1a/", "http://[::1]x/", "http://[::1"] {
        assert_eq!(Url::parse(bad, false), Err(Bad::Port), "{bad}");
    }
}

#[test]
fn dots_are_removed_unless_asked() {
    assert_eq!(text("http://h/a/./b/../c"), "http://h/a/c");
    assert_eq!(text("http://h/../%2e%2E/x/.."), "http://h/");
    assert_eq!(Url::parse("http://h/a/../b", true).expect("it is a URL").text(), "http://h/a/../b");
}

#[test]
fn redirects() {
    let base = Url::parse("https://h:8/a/b?q#f", false).expect("it is a URL");
    let to = |location: &str| base.join(location, false).expect("it is a URL").text();
    assert_eq!(to("c d"), "https://h:8/a/c%20d#f");
    assert_eq!(to("/c?x"), "https://h:8/c?x#f");
    assert_eq!(to("?y"), "https://h:8/a/b?y#f");
    assert_eq!(to("../../z#g"), "https://h:8/z#g");
    assert_eq!(to("//other/z"), "https://other/z#f");
    assert_eq!(to("http://other"), "http://other/");
    assert_eq!(base.join("ftp://other", false), Err(Bad::Scheme("ftp".into())));
}
