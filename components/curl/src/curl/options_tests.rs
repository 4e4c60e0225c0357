//! Command lines as agents type them.

use super::*;

fn parsed(line: &str) -> Parsed {
    let words: Vec<String> = std::iter::once("-q").chain(line.split(' ')).map(str::to_owned).collect();
    parse(&words).unwrap_or_else(|mistake| panic!("{line}: {}", mistake.text))
}

fn mistake(line: &str) -> String {
    let words: Vec<String> = std::iter::once("-q").chain(line.split(' ')).map(str::to_owned).collect();
    parse(&words).map_or_else(|mistake| mistake.text, |_| panic!("{line} is taken"))
}

#[test]
fn short_options_run_together() {
    let parsed = parsed("-fsSLo out.html -XPOST -H A:b http://h/ -m1.5");
    let operation = &parsed.operations[0];
    assert!(parsed.global.silent && parsed.global.show_error && operation.fail && operation.location);
    assert_eq!(operation.nodes[0].target, Some(Target::File("out.html".into())));
    assert_eq!((operation.method.as_deref(), operation.max_time), (Some("POST"), Some(Duration::from_millis(1500))));
    assert_eq!(operation.headers, ["A:b"]);
}

#[test]
fn outputs_belong_to_urls_in_order() {
    let parsed = parsed("http://a -o x http://b -O http://c --next -I d");
    let nodes = &parsed.operations[0].nodes;
    let targets: Vec<_> = nodes.iter().map(|node| node.target.clone()).collect();
    assert_eq!(targets, [Some(Target::File("x".into())), Some(Target::Remote), None]);
    assert!(parsed.operations[1].head && !parsed.operations[0].head);
}

#[test]
fn long_options() {
    let parsed = parsed("--no-location --location-t --no-progress-meter --max-redirs -1 --no-keepalive --insecure");
    assert!(parsed.operations[0].location || parsed.operations[0].trusted);
    assert!(parsed.global.no_meter);
    assert_eq!(parsed.operations[0].max_redirs, Some(u64::MAX));
    assert_eq!(parsed.warnings.len(), 1);
}

#[test]
fn data_adds_up() {
    let parsed = parsed("-d a=1 --data-urlencode b=x&y --data-raw @c");
    let data = parsed.operations[0].data.clone().expect("there is data");
    assert_eq!(data.query().expect("it is text"), "a=1&b=x%26y&@c");
}

#[test]
fn mistakes() {
    assert_eq!(mistake("--foo"), "curl: option --foo: is unknown");
    assert_eq!(mistake("http://h -o"), "curl: option -o: requires parameter");
    assert_eq!(mistake("-m x"), "curl: option -m: expected a proper numerical parameter");
    assert_eq!(mistake("--re x"), "curl: option --re: is ambiguous");
    assert!(mistake("-x http://p:1").starts_with("curl: option -x: refused by wisp: wisp connects to the host itself"));
    assert!(mistake("--resolve a:1:2").contains("the host's to decide"));
}
