//! Bytes in JSON: text where they are UTF-8, otherwise base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes as two fields beside those of their owner: `text`, or `base64` where they are not UTF-8.
/// Use: `#[serde(flatten, with = "crate::content")] #[schemars(with = "crate::content::Content")]`.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Content {
    /// The bytes; absent if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The bytes in base64, in place of `text`, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

pub(crate) fn serialize<S: Serializer>(bytes: &Bytes, to: S) -> Result<S::Ok, S::Error> {
    let (text, base64) = match std::str::from_utf8(bytes) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(STANDARD.encode(bytes))),
    };
    Content { text, base64 }.serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
    let Content { text, base64 } = Content::deserialize(from)?;
    either(text, base64, "text", "base64")
}

/// Returns the bytes of two fields. The second, if there is one, has them exactly.
fn either<E: serde::de::Error>(text: Option<String>, base64: Option<String>, text_name: &str, base64_name: &str) -> Result<Bytes, E> {
    match (text, base64) {
        (_, Some(base64)) => decoded(&base64, base64_name),
        (Some(text), None) => Ok(text.into()),
        (None, None) => Err(E::custom(format!("neither `{text_name}` nor `{base64_name}`"))),
    }
}

fn decoded<E: serde::de::Error>(base64: &str, name: &str) -> Result<Bytes, E> {
    STANDARD.decode(base64).map(Bytes::from).map_err(|error| E::custom(format!("`{name}` is not base64: {error}")))
}

/// Makes a module for an output stream: `NAME` always has text, and where U+FFFD stands in it for other bytes, `NAME_base64` has them.
macro_rules! output {
    ($name:ident, $base64:ident, $text:literal) => {
        pub(crate) mod $name {
            use super::*;

            #[doc = concat!("Standard ", $text, " as fields of its owner.")]
            #[derive(Serialize, Deserialize, JsonSchema)]
            pub(crate) struct Fields {
                #[doc = concat!("Standard ", $text, "; U+FFFD in place of bytes that are not UTF-8.")]
                $name: String,
                #[doc = concat!("Standard ", $text, " in base64, if it is not UTF-8.")]
                #[serde(default, skip_serializing_if = "Option::is_none")]
                $base64: Option<String>,
            }

            pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
                let $name = String::from_utf8_lossy(bytes).into_owned();
                let $base64 = std::str::from_utf8(bytes).is_err().then(|| STANDARD.encode(bytes));
                Fields { $name, $base64 }.serialize(to)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
                let Fields { $name, $base64 } = Fields::deserialize(from)?;
                either(Some($name), $base64, stringify!($name), stringify!($base64)).map(Vec::from)
            }
        }
    };
}

output!(stdout, stdout_base64, "output");
output!(stderr, stderr_base64, "error");

/// Bytes that may be missing, in base64.
pub(crate) mod base64_option {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(bytes: &Option<Bytes>, to: S) -> Result<S::Ok, S::Error> {
        bytes.as_ref().map(|bytes| STANDARD.encode(bytes)).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Bytes>, D::Error> {
        Option::<String>::deserialize(from)?.map(|base64| decoded(&base64, "data")).transpose()
    }
}

/// Times as milliseconds, in microseconds of precision.
pub(crate) mod milliseconds {
    use std::time::Duration;

    use super::*;

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        ((time.as_secs_f64() * 1e6).round() / 1e3).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let milliseconds = f64::deserialize(from)?;
        Duration::try_from_secs_f64(milliseconds / 1e3).map_err(|_| serde::de::Error::custom(format!("{milliseconds} ms is no time")))
    }
}
