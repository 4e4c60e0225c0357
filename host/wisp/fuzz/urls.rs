//! URLs of requests, read by the gate and by an independent parser (the `url` crate, which reads as browsers do).
//! What the gate allows, the other must not read as another server or as a path outside the rule.

use url::Url;
use wisp_policy::url::{Scheme, Target, UrlPattern};

use crate::input::Input;

const RULES: &[&str] = &[
    "https://a.example/x/",
    "https://*.b.example/",
    "http://a.example:8080/x/y",
    "https://127.0.0.1/",
    "https://[::1]/x",
    "http://xn--bcher-kva.example/",
];

/// The parts of hosts and of similar texts, plain and not.
const HOSTS: &[&str] = &[
    "a.example",
    "A.EXAMPLE",
    "b.example",
    "sub.b.example",
    "xb.example",
    "bücher.example",
    "xn--bcher-kva.example",
    "127.0.0.1",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[0:0::0:1]",
    "evil.test",
    "ａ．example",
    "a。example",
    "a.example%2eevil.test",
    "",
];
const JOINTS: &[&str] = &[
    ".", "..", "@", ":", ":443", ":8080", ":80", ":00443", ":0", ":99999", "/", "\\", "#", "?", "%", "%2e", "%40", "\t", "\n", "\0", " ",
    "%00", "\u{ad}", "\u{200d}", "ß", "İ",
];
const PATHS: &[&str] = &[
    "/", "x", "y", "X", "..", ".", "%2e", "%2E", "%2f", "%5c", "%252e", "%25", "\\", "//", "?", "#", ";", "%78", "%", "%0d%0a", "\r\n",
    "\t", " ", "é", "%c3%a9", "a", "..;", "\0", "%00", "~", "\"", "<", "|",
];

fn pieces(input: &mut Input<'_>, most: u8, lists: &[&[&'static str]]) -> String {
    let count = input.byte() % most;
    (0..count).map(|index| input.pick(lists[usize::from(index) % lists.len()])).collect()
}

pub(crate) fn target(bytes: &[u8]) {
    check(bytes);
}

/// Returns whether the input is a request that a rule allows.
fn check(bytes: &[u8]) -> bool {
    let mut input = Input::new(bytes);
    let scheme = if input.once_in(3) { Scheme::Http } else { Scheme::Https };
    let authority = input.pick(HOSTS).to_string() + &pieces(&mut input, 4, &[JOINTS, HOSTS]);
    let path = if input.once_in(8) { String::new() } else { "/".to_owned() } + &pieces(&mut input, 8, &[PATHS]);
    let Ok(target) = Target::new(scheme, &authority, &path) else { return false };

    // The other parser reads the requested URL and the sent one: both must lead to the server that is connected to.
    let asked = format!("{}://{authority}{path}", scheme.as_str());
    let sent = format!("{}://{}{}", scheme.as_str(), target.authority(), target.path_and_query());
    for text in [&asked, &sent] {
        let url = Url::parse(text).unwrap_or_else(|error| panic!("{text:?} is no URL to the other parser: {error}"));
        let host = url.host_str().unwrap_or_default();
        // It writes IPv6 in another way.
        match host.strip_prefix('[').and_then(|address| address.strip_suffix(']')) {
            Some(address) => assert_eq!(address.parse().ok(), target.host.address(), "{text:?}"),
            None => assert_eq!(host.strip_suffix('.').unwrap_or(host), target.host.to_string(), "{text:?}"),
        }
        assert_eq!(url.port_or_known_default(), Some(target.port), "{text:?}");
        assert_eq!(url.scheme(), scheme.as_str(), "{text:?}");
        assert!(url.username().is_empty() && url.password().is_none(), "{text:?}");
        assert!(url.fragment().is_none() && text.is_char_boundary(0), "{text:?}");
        // It escapes a few characters that may be sent as they are.
        let escaped = |path: &str| {
            path.replace('"', "%22")
                .replace('<', "%3C")
                .replace('>', "%3E")
                .replace('`', "%60")
                .replace('{', "%7B")
                .replace('}', "%7D")
                .replace('^', "%5E")
        };
        assert_eq!(url.path(), escaped(target.path.as_str()), "{text:?}");
    }
    let again = Target::new(scheme, &target.authority(), &target.path_and_query());
    assert_eq!(again.as_ref().ok(), Some(&target), "{asked:?} is not sent as it was read");

    let url = Url::parse(&sent).expect("it was parsed above");
    let host = url.host_str().unwrap_or_default();
    let mut allowed_by_any = false;
    for rule in RULES {
        let pattern = UrlPattern::parse(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
        if !pattern.matches(&target) {
            continue;
        }
        allowed_by_any = true;
        // The rule's text, read by the other parser.
        let allowed = Url::parse(&rule.replace("*.", "any.")).expect("rules are URLs");
        assert_eq!((url.scheme(), url.port_or_known_default()), (allowed.scheme(), allowed.port_or_known_default()), "{sent:?} by {rule}");
        match allowed.host_str().unwrap_or_default().strip_prefix("any.") {
            Some(suffix) => assert!(host.ends_with(&format!(".{suffix}")), "{sent:?} by {rule}"),
            None => assert_eq!(Some(host), allowed.host_str(), "{sent:?} by {rule}"),
        }
        // However often escapes are decoded, the path stays below the rule's.
        let mut path = url.path().to_owned();
        for _ in 0..4 {
            let mut parts = Url::parse("http://h/").expect("a URL");
            parts.set_path(&path.replace('\\', "/"));
            let undone = undo(parts.path());
            let beginning = allowed.path().trim_end_matches('/');
            assert!(undone.starts_with(beginning) || allowed.path() == "/", "{sent:?} by {rule}: {undone}");
            path = undone;
        }
    }
    allowed_by_any
}

/// Decodes one layer of escapes; a result that is not text or not a path is discarded.
fn undo(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let digits = more.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| byte.is_ascii_graphic() && !b"?#".contains(byte))
        {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

/// The inputs above are requests often enough, and some are allowed: without this check, the promise might never be
/// tested.
#[test]
fn many_inputs_are_requests_that_a_rule_allows() {
    let (mut state, mut allowed) = (42u32, 0);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    for _ in 0..20_000 {
        let bytes: [u8; 24] = std::array::from_fn(|_| next());
        allowed += u32::from(check(&bytes));
    }
    assert!(allowed > 200, "{allowed} of 20000");
}
