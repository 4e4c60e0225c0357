use super::*;

fn options(flavor: Flavor) -> Options {
    Options { flavor, fold: false, lines: false, utf8: true, posix: false }
}

fn groups(flavor: Flavor, source: &str, text: &str) -> Vec<Option<String>> {
    let regex = Regex::new(source.as_bytes(), options(flavor)).unwrap();
    let mut found = Vec::new();
    regex.captures(text.as_bytes(), 0, &mut found);
    found.iter().map(|s| s.map(|(a, b)| text[a..b].to_owned())).collect()
}

fn matched(flavor: Flavor, source: &str, text: &str) -> Option<String> {
    let regex = Regex::new(source.as_bytes(), options(flavor)).unwrap();
    regex.find(text.as_bytes(), 0).map(|(a, b)| text[a..b].to_owned())
}

/// What GNU sed 4.9 printed for these.
#[test]
fn groups_are_glibcs() {
    let ere = |source, text| groups(Flavor::Extended, source, text).into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>();
    assert_eq!(ere("(a|ab)(c|bcd)(d*)", "abcd"), ["abcd", "a", "bcd", ""]);
    assert_eq!(ere("x*(y*)*", "xyz"), ["xy", "y"]);
    assert_eq!(ere("(a|b)*", "abab"), ["abab", "b"]);
    assert_eq!(ere("(a*)*b", "aab"), ["aab", "aa"]);
    assert_eq!(ere("(a*)+b", "aab"), ["aab", "aa"]);
    assert_eq!(ere("(a*)*b", "b"), ["b", ""]);
    assert_eq!(ere("((a)|b)*", "ababc"), ["abab", "b", "a"]);
    assert_eq!(ere("(foo|foob)(ar|bar)", "foobar"), ["foobar", "foo", "bar"]);
    assert_eq!(ere("(ab?)*(ba)?", "aba"), ["aba", "a", ""]);
    assert_eq!(ere("(a{1,2}){2}", "aaaa"), ["aaaa", "aa"]);
}

#[test]
fn the_longest_wins() {
    assert_eq!(matched(Flavor::Extended, "a|ab|abc", "xabcd").as_deref(), Some("abc"));
    assert_eq!(matched(Flavor::Extended, "a?(ab)?", "ab").as_deref(), Some("ab"));
    assert_eq!(matched(Flavor::Awk, "(x|xy)(z|yz)?", "xyz").as_deref(), Some("xyz"));
}

#[test]
fn references_match_again() {
    assert_eq!(matched(Flavor::Basic, "\\(ab*\\)\\1", "xabbabb").as_deref(), Some("abbabb"));
    assert_eq!(matched(Flavor::Extended, "(.)(.)\\2\\1", "hello abba").as_deref(), Some("abba"));
    assert_eq!(matched(Flavor::Basic, "^\\(.*\\)\\n\\1$", "one\none").as_deref(), Some("one\none"));
    assert_eq!(matched(Flavor::Basic, "^\\(.*\\)\\n\\1$", "one\ntwo"), None);
}

#[test]
fn syntaxes_differ() {
    assert_eq!(matched(Flavor::Basic, "a+b", "a+b").as_deref(), Some("a+b"));
    assert_eq!(matched(Flavor::Basic, "a\\+b", "aab").as_deref(), Some("aab"));
    assert_eq!(matched(Flavor::Basic, "*a", "*a").as_deref(), Some("*a"));
    assert_eq!(matched(Flavor::Basic, "^*a", "*a").as_deref(), Some("*a"));
    assert_eq!(matched(Flavor::Basic, "a^b$c", "a^b$c").as_deref(), Some("a^b$c"));
    assert_eq!(matched(Flavor::Basic, "\\(^a\\)", "ba"), None);
    assert_eq!(matched(Flavor::Awk, "a{1", "a{1").as_deref(), Some("a{1"));
    assert_eq!(matched(Flavor::Awk, "[\\]x]+", "]x").as_deref(), Some("]x"));
    assert_eq!(matched(Flavor::Extended, "[^]a-c[:digit:]]+", "]a1-z").as_deref(), Some("-z"));
    assert_eq!(matched(Flavor::Extended, "\\<w\\w*\\>", "a word").as_deref(), Some("word"));
    assert_eq!(matched(Flavor::Extended, "é?.$", "caféx").as_deref(), Some("éx"));
}

/// What GNU sed 4.9 does with these.
#[test]
fn only_the_first_is_special() {
    assert_eq!(matched(Flavor::Basic, "^^q", "^q").as_deref(), Some("^q"));
    assert_eq!(matched(Flavor::Basic, "^^q", "q"), None);
    assert_eq!(matched(Flavor::Basic, "**a", "**a").as_deref(), Some("**a"));
    assert_eq!(matched(Flavor::Basic, "^**a", "a").as_deref(), Some("a"));
}

/// What GNU grep 3.8 does with these.
#[test]
fn greps_syntax_is_its_own() {
    for (source, text, found) in [
        ("a\\(b\\)\\{2,3\\}", "abbbb", "abbb"),
        ("a+b?", "a+b?", "a+b?"),
        ("a\\+b\\?", "aabb", "aab"),
        ("*a", "*a", "*a"),
        ("^*a", "*a", "*a"),
        ("a**", "aa", "aa"),
        ("\\+b", "+b", "+b"),
        ("\\{1\\}", "a{1}", "{1}"),
        ("[\\n]", "n\\", "n"),
        ("\\n", "\nn", "n"),
        ("[&&~~-]", "&", "&"),
    ] {
        assert_eq!(matched(Flavor::Grep, source, text).as_deref(), Some(found), "{source}");
    }
    for (source, text, found) in [
        ("a{,3}", "aaaa", "aaa"),
        ("a{x", "a{x", "a{x"),
        ("a+?", "aa", "aa"),
        ("a)", "a)", "a)"),
        ("(+b)", "b", "b"),
        ("{1}a", "a", "a"),
        ("{x", "{x", "{x"),
        ("a|*b", "b", "b"),
        ("a\\{}", "a{}", "a{}"),
        ("^*b", "ab", "b"),
        ("[]a]+", "x]a", "]a"),
        ("\\<foo\\>", "a foo b", "foo"),
    ] {
        assert_eq!(matched(Flavor::Egrep, source, text).as_deref(), Some(found), "{source}");
    }
    assert_eq!(matched(Flavor::Fixed, "a.*[", "ba.*[").as_deref(), Some("a.*["));
    let ignored = |source: &[u8]| Regex::new(source, options(Flavor::Egrep)).unwrap().ignored().join(" ");
    assert_eq!([&b"a|*b"[..], b"(+b)", b"^*b", b"{1}a", b"a*"].map(ignored), ["*", "+", "*", "{...}", ""]);
}

#[test]
fn greps_errors_are_its_own() {
    let error = |flavor, source: &str| Regex::new(source.as_bytes(), options(flavor)).err().unwrap_or_default();
    assert_eq!(error(Flavor::Egrep, "(a"), "Unmatched ( or \\(");
    assert_eq!(["a{}", "a*{}"].map(|source| error(Flavor::Egrep, source)), ["Invalid content of \\{\\}"; 2]);
    assert_eq!(error(Flavor::Egrep, "b{32768}"), "Regular expression too big");
    assert_eq!(error(Flavor::Egrep, "[:space:]"), "character class syntax is [[:space:]], not [:space:]");
    assert_eq!(error(Flavor::Grep, "a\\)"), "Unmatched ) or \\)");
    assert_eq!(error(Flavor::Grep, "a\\"), "Trailing backslash");
    assert_eq!(error(Flavor::Grep, "a\\{1"), "Unmatched \\{");
    assert_eq!(error(Flavor::Grep, "\\(a\\)\\2"), "Invalid back reference");
}

#[test]
fn one_of_several_expressions_matches() {
    let lines = Options { lines: true, ..options(Flavor::Grep) };
    let any = |sources: &[&str], whole| Regex::any(sources, lines, whole).unwrap();
    let text = b"abc\nxx yy\nabcd\n";
    assert_eq!(any(&["ab", "abcd"], Whole::Part).find(text, 4), Some((10, 14)));
    assert_eq!(any(&["a.*", "x"], Whole::Part).find(text, 0), Some((0, 3)));
    assert_eq!(any(&["[^x]*", "y"], Whole::Line).find(text, 1), Some((10, 14)));
    assert_eq!(any(&["bc", "y*"], Whole::Word).find(text, 1), Some((7, 9)));
    assert_eq!(any(&["\\(a\\)\\1", "\\(.\\)\\1"], Whole::Part).find(text, 0), Some((4, 6)));
    assert_eq!(any(&[], Whole::Part).find(text, 0), None);
    assert_eq!(any(&["x", "bc"], Whole::Part).any_end(text, 0), Some(3));
    assert!(!any(&["c\\sx", "c[[:space:]]x", "c\\Wx", "c.x"], Whole::Part).is_match(text));
    let records = Options { lines: false, ..lines };
    assert_eq!(Regex::any(&["c.x"], records, Whole::Part).unwrap().find(text, 0), Some((2, 5)));
    assert!(!Regex::any(&["^x"], records, Whole::Part).unwrap().is_match(text));
}

#[test]
fn a_search_that_takes_too_long_is_given_up() {
    let text = [&[b'a'; 60][..], b"xzzy"].concat();
    let searched = |source: &str| {
        let regex = Regex::new(source.as_bytes(), options(Flavor::Extended)).unwrap();
        (regex.is_match(&text), regex.gave_up())
    };
    assert_eq!(searched("(.*)x\\1y"), (false, false));
    assert_eq!(searched("(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x\\9y"), (false, true));
}

#[test]
fn an_expression_is_written_as_rusts() {
    let rust = |source: &str| Regex::as_rust(source.as_bytes(), options(Flavor::Grep));
    assert_eq!(rust("\\(ab\\)*c\\|d+").unwrap(), "(?:(?:((?:ab))*c)|(?:d\\+))");
    assert_eq!(rust("\\(a\\)\\1").unwrap_err(), "Invalid back reference");
}

#[test]
fn errors_are_glibcs() {
    let error = |flavor, source: &str| Regex::new(source.as_bytes(), options(flavor)).err().unwrap_or_default();
    assert_eq!(error(Flavor::Extended, "(a"), "Unmatched ( or \\(");
    assert_eq!(error(Flavor::Extended, "a)"), "Unmatched ) or \\)");
    assert_eq!(error(Flavor::Extended, "*a"), "Invalid preceding regular expression");
    assert_eq!(error(Flavor::Basic, "a\\{1"), "Unmatched \\{");
    assert_eq!(error(Flavor::Basic, "\\(a\\)\\2"), "Invalid back reference");
    assert_eq!(error(Flavor::Basic, "[b-a]"), "Invalid range end");
    assert_eq!(error(Flavor::Basic, "[[:foo:]]"), "Invalid character class name");
    assert_eq!(error(Flavor::Extended, &"(".repeat(1000)), "Regular expression too big");
}

#[test]
fn bytes_that_are_no_text_are_kept_apart() {
    let regex = Regex::new(b"a.b", options(Flavor::Basic)).unwrap();
    assert!(!regex.is_match(b"a\xffb"));
    let regex = Regex::new(b"\\xff", options(Flavor::Basic)).unwrap();
    assert_eq!(regex.find(b"a\xffb", 0), Some((1, 2)));
    let plain = Options { utf8: false, ..options(Flavor::Basic) };
    assert!(Regex::new(b"a.b", plain).unwrap().is_match(b"a\xffb"));
}
