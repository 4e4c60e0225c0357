//! Policies: no text or option panics, findings can be drawn, and an accepted policy reads back from its canonical
//! form with the same meaning and digest.

use std::path::{Path, PathBuf};

use wisp_policy::schema::{Key, Shape};
use wisp_policy::{Origin, Overrides, Palette, Policy, PolicyErrors, PolicyText, Source, SourceError, render};

use crate::input::Input;

/// Every path exists under its own name; every policy is this one text.
struct Everything;

impl Source for Everything {
    fn read(&self, path: &Path) -> Result<PolicyText, SourceError> {
        Ok(PolicyText { identity: path.to_owned(), text: "extends = \"offline\"\n[tools.custom.parent]\npath = \"p.wasm\"\n".into() })
    }

    fn holds(&self, _: &Path, _: &Path) -> bool {
        false
    }

    fn mountable(&self, path: &Path) -> Result<PathBuf, SourceError> {
        Ok(path.to_owned())
    }

    fn file(&self, path: &Path) -> Result<PathBuf, SourceError> {
        Ok(path.to_owned())
    }
}

/// Returns what a policy allows, without the rules: a canonical form that omits something would still have a digest.
fn meaning(policy: &Policy) -> impl PartialEq + std::fmt::Debug {
    let tools = policy
        .tools()
        .custom
        .iter()
        .map(|(name, tool)| (name.clone(), tool.path.clone(), tool.sha256.clone(), tool.network))
        .collect::<Vec<_>>();
    let filesystem = policy.filesystem();
    let mounts = filesystem.mounts.iter().map(|mount| (mount.host.clone(), mount.guest.clone(), mount.access)).collect::<Vec<_>>();
    let network = policy.network().map(|network| {
        let rules: Vec<_> = network
            .allow
            .iter()
            .map(|rule| (rule.url.to_string(), rule.methods.clone(), rule.allow_private, rule.addresses.clone()))
            .collect();
        let secrets: Vec<_> = network.secrets.iter().map(|secret| (secret.place.clone(), secret.format.clone(), secret.forks)).collect();
        let times = (network.connect_timeout, network.first_byte_timeout, network.timeout);
        let counts = (network.max_requests, network.max_requests_per_minute, network.max_concurrent);
        let sizes = (network.max_request, network.max_response, network.max_bytes);
        (rules, secrets, times, counts, sizes, network.ca.as_ref().map(|(path, _)| path.clone()), network.receipt_query)
    });
    let grants = (network, policy.tools().allow.clone(), tools, mounts, policy.env().clone(), policy.determinism().copied());
    (policy.name().to_owned(), grants, filesystem.quota, filesystem.max_files, policy.output().clone(), *policy.limits())
}

fn check_result(result: Result<Policy, PolicyErrors>) -> bool {
    let policy = match result {
        Ok(policy) => policy,
        Err(errors) => {
            assert!(!errors.findings().is_empty());
            let drawn = render(&errors, Palette::Plain);
            assert!(drawn.starts_with("error: ") && !drawn.contains('\u{1b}') && !errors.to_string().contains('\u{1b}'), "{drawn}");
            return false;
        }
    };
    let canonical = policy.canonical();
    match Policy::parse(&Everything, "canonical.toml", &canonical) {
        Ok(again) => {
            assert_eq!(again.digest(), policy.digest(), "{canonical}");
            assert_eq!(meaning(&again), meaning(&policy), "{canonical}");
        }
        Err(errors) => panic!("{canonical}\n{}", render(&errors, Palette::Plain)),
    }
    for rule in policy.rules().values() {
        assert!(rule.origin() != Origin::File || rule.line().is_some_and(|line| line > 0));
    }
    true
}

/// Checks any text: the bytes as they are, or as characters that occur in TOML.
pub(crate) fn text(bytes: &[u8]) {
    const ALPHABET: &[u8] = b"[]{}=\"'.,#\\-_ \n\taelnmoutspr0193MiBTZ:+/";
    let mut input = Input::new(bytes);
    let as_it_is = input.once_in(2);
    let rest = input.rest();
    let text: String = if as_it_is {
        String::from_utf8_lossy(rest).into_owned()
    } else {
        rest.iter().map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).collect()
    };
    check_result(Policy::parse(&Everything, "fuzz.toml", &text));
}

/// Parts of policies, right and wrong.
const VALUES: &[&str] = &[
    "\"./data\"",
    "\"/mnt/a/b\"",
    "\"/usr\"",
    "\"read\"",
    "\"30s\"",
    "\"0B\"",
    "0",
    "-1",
    "1.5",
    "true",
    "[]",
    "{}",
    "[\"sh\", \"sh\"]",
    "[\"curl\"]",
    "\"fuzz.toml\"",
    "2026-01-01",
    "'''\n'''",
    "\"\"",
];

/// Returns right values for a key.
fn good_values(key: Key) -> &'static [&'static str] {
    match key.row().shape {
        Shape::Size(_) => &["\"64MiB\"", "\"2 GiB\"", "\"4000kB\"", "0x2000000", "16777217"],
        Shape::Duration(_) => &["\"30s\"", "\"90s\"", "\"500ms\"", "\"12345ms\"", "\"1h\"", "\"24h\""],
        Shape::Count(_) => &["64", "1_000", "0b1000", "4096"],
        Shape::Moment => &["\"1970-01-01T00:00:00Z\"", "2026-02-28T00:00:00.5Z", "\"2000-02-29T23:59:59.999999999+14:00\""],
        Shape::Flag => &["false"],
        Shape::Texts => &["[]", "[\"sh\"]", "[\"python3\", \"sh\"]", "[ 'coreutils', ]"],
        Shape::Text => match key {
            Key::Extends => &["\"offline\"", "\"minimal\"", "\"./p.toml\""],
            Key::EnvVar => &["\"a\\\"b\\\\c\\td\\u0001\\u202E\\u007f\"", "'''\n\\n'''", "\"größe 日本 🦀\"", "\"\""],
            Key::ToolPath => &["\"./jwt.wasm\"", "\"/abs/jwt.wasm\"", "'C:\\jwt'", "\"~/größe\""],
            Key::MountAccess => &["\"read\"", "\"write\"", "\"overlay\""],
            Key::OutputPath => &["\"/output\"", "\"/tmp/größe\"", "'/a\"b'"],
            Key::AllowUrl => &["\"https://*.Größe.example:8443/%61/b\"", "\"http://[::1]/\"", "'https://10.0.0.1'"],
            Key::Name => &["\"n\"", "\"größe \\\" \\\\\""],
            _ => &[],
        },
    }
}

/// Returns a text of headers, keys and values, chosen by the bytes; most values are right for their key.
fn policy_like(input: &mut Input<'_>) -> String {
    let (mut top, mut text, mut headers) = (String::new(), String::new(), Vec::new());
    for index in 0..input.byte() % 8 {
        let (key, choice) = (input.pick(Key::ALL), input.byte());
        let good = good_values(key);
        let value = match usize::from(choice) {
            wrong @ 240.. => VALUES[wrong % VALUES.len()],
            _ if good.is_empty() => key.row().example,
            right => good[right % good.len()],
        };
        let Some((table, word)) = key.path().rsplit_once('.') else {
            if !top.contains(&format!("{} = ", key.word())) {
                top.push_str(&format!("{} = {value}\n", key.word()));
            }
            continue;
        };
        match table {
            "network.allow[]" => {
                let url = if word == "url" { value } else { "'https://a.example/x'" };
                let line = if word == "url" { String::new() } else { format!("{word} = {value}\n") };
                text.push_str(&format!("[[network.allow]]\nurl = {url}\n{line}"));
            }
            "network.secret[]" => {
                let mut lines = format!("[[network.secret]]\n{word} = {value}\n");
                for (other, value) in [("host", "'a.example'"), ("value_from_env", &*format!("'V{index}'"))] {
                    if other != word {
                        lines.push_str(&format!("{other} = {value}\n"));
                    }
                }
                if !["header", "query", "body_field"].contains(&word) {
                    lines.push_str("header = 'X-Key'\n");
                }
                text.push_str(&lines);
            }
            "filesystem.mount[]" => {
                let access = if word == "access" { value } else { "'read'" };
                text.push_str(&format!("[[filesystem.mount]]\nhost = \"d\"\nguest = \"/mnt/m{index}\"\naccess = {access}\n"));
            }
            "tools.custom.NAME" => {
                let path = if word == "path" { value } else { "'x.wasm'" };
                text.push_str(&format!("[tools.custom.\"t{index}\"]\npath = {path}\n"));
            }
            "env.vars" => top.push_str(&format!("env.vars.\"größe \\\" {index}\" = {value}\n")),
            _ if table.ends_with("[]") => text.push_str(&format!("[[{}]]\n{word} = {value}\n", table.trim_end_matches("[]"))),
            _ if headers.contains(&table) => {}
            _ => {
                headers.push(table);
                text.push_str(&format!("[{table}]\n{word} = {value}\n"));
            }
        }
    }
    top + &text
}

/// Checks a text that is, or nearly is, a policy.
pub(crate) fn document(bytes: &[u8]) {
    check_result(Policy::parse(&Everything, "fuzz.toml", &policy_like(&mut Input::new(bytes))));
}

/// Checks arbitrary options over a shipped policy.
pub(crate) fn options(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut overrides = Overrides::command_line();
    for (index, part) in text.split('\n').enumerate() {
        overrides = match index % 8 {
            0 => overrides.mount(part),
            1 => overrides.env(part),
            2 => overrides.tool(part),
            3 => overrides.timeout(part),
            5 => overrides.allow(part),
            6 => overrides.allow(&format!("{}https://{part}", if part.len() % 2 == 0 { "" } else { "GET,POST " })),
            4 => overrides.mount(&format!("d:/mnt/{part}")),
            _ => overrides.value("limits.memory", part),
        };
    }
    check_result(Policy::load_with(&Everything, "minimal", &overrides));
}

/// The texts above are policies often enough; without this check, the promise might never be tested.
#[test]
fn many_documents_are_policies() {
    let mut state = 42u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let mut accepted = 0;
    for _ in 0..1000 {
        let bytes: [u8; 32] = std::array::from_fn(|_| next());
        accepted += u32::from(check_result(Policy::parse(&Everything, "fuzz.toml", &policy_like(&mut Input::new(&bytes)))));
    }
    assert!(accepted > 300, "{accepted} of 1000");
}
