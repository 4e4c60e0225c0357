//! Reads `[network]` and the option `--allow`.

use std::path::Path;

use super::grant::AllowRule;
use super::layer::NetworkLayer;
use super::secret::read_secret;
use crate::finding::quote;
use crate::host_path::host_path;
use crate::hosts::Addresses;
use crate::read::{Reader, Set, checked};
use crate::schema::Key;
use crate::section::Section;
use crate::url::UrlPattern;

pub(crate) const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const METHODS_ARE: &str = "methods are `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` and `OPTIONS`";

/// The methods of a rule that does not name any.
const READING: [&str; 2] = ["GET", "HEAD"];

/// Reads the table, except its numbers.
pub(crate) fn read(reader: &Reader, section: &mut Section<'_, '_>, base: &Path) -> NetworkLayer {
    let mut layer = NetworkLayer { rule: Some(section.rule()), ..NetworkLayer::default() };
    for mut allow in section.tables("allow") {
        allow.require(Key::AllowUrl);
        let url = allow.text(Key::AllowUrl);
        let url = url.and_then(|url| checked(reader, Key::AllowUrl, &url, UrlPattern::parse(&url.value)));
        let methods = allow.texts(Key::AllowMethods).map(|methods| methods.value.iter().filter_map(|word| method(reader, word)).collect());
        let allow_private = allow.flag(Key::AllowPrivate).is_some_and(|flag| flag.value);
        let addresses = allow.texts(Key::AllowAddresses).map(|texts| texts.value).unwrap_or_default();
        let addresses =
            addresses.iter().filter_map(|text| checked(reader, Key::AllowAddresses, text, Addresses::parse(&text.value))).collect();
        let rule = allow.rule();
        allow.finish();
        if let Some(url) = url {
            layer.allow.push(AllowRule { url, methods: methods.unwrap_or_else(reading), allow_private, addresses, written: true, rule });
        }
    }
    for secret in section.tables("secret") {
        layer.secrets.extend(read_secret(reader, secret));
    }
    layer.ca = section.text(Key::NetworkCa).and_then(|path| host_path(reader, Key::NetworkCa, path, base));
    layer.receipt_query = section.flag(Key::ReceiptQuery);
    layer
}

/// Reads a rule for reading below a URL, which a key outside `[network]` names.
pub(crate) fn read_url(reader: &Reader, key: Key, url: &Set<String>) -> Option<AllowRule> {
    let pattern = checked(reader, key, url, UrlPattern::parse(&url.value))?;
    Some(AllowRule {
        url: pattern,
        methods: reading(),
        allow_private: false,
        addresses: Vec::new(),
        written: false,
        rule: url.rule.clone(),
    })
}

/// Reads a rule of the command line: a URL, optionally after methods. Without methods it allows reading.
pub(crate) fn read_option(reader: &Reader, methods: &[Set<String>], url: &Set<String>) -> Option<AllowRule> {
    let found: Vec<Option<String>> = methods.iter().map(|word| method_of_option(reader, word)).collect();
    let pattern = checked(reader, Key::AllowUrl, url, UrlPattern::parse(&url.value))?;
    let methods = if found.is_empty() { reading() } else { found.into_iter().collect::<Option<Vec<_>>>()? };
    Some(AllowRule { url: pattern, methods, allow_private: false, addresses: Vec::new(), written: false, rule: url.rule.clone() })
}

fn reading() -> Vec<String> {
    READING.map(str::to_owned).into()
}

fn method(reader: &Reader, word: &Set<String>) -> Option<String> {
    let known = METHODS.contains(&word.value.as_str()).then(|| word.value.clone());
    checked(reader, Key::AllowMethods, word, known.ok_or(METHODS_ARE))
}

/// Returns a method of an option.
fn method_of_option(reader: &Reader, word: &Set<String>) -> Option<String> {
    let known = METHODS.contains(&word.value.as_str()).then(|| word.value.clone());
    if known.is_none() {
        let finding = word.rule.finding(format!("{} is not a method", quote(&word.value))).label(METHODS_ARE);
        reader.find(finding.help("write methods, a space and the URL, in quotes: `'GET,POST https://api.example.com/v1/'`"));
    }
    known
}
