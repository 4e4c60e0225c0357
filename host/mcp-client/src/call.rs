//! One call: arguments of a guest on their way to a tool, and what the tool gives back.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;
use wisp::{HostFailure, HostValue};

use crate::schema::tidy;
use crate::wire::{Answer, Refusal};

/// Maximum characters of a failure.
const MESSAGE: usize = 7 << 10;

/// A result of `tools/call`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    #[serde(borrow, default)]
    content: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    structured_content: Option<&'a RawValue>,
    #[serde(default)]
    is_error: bool,
    #[serde(borrow, default)]
    result_type: Option<Cow<'a, str>>,
}

/// A part of a result.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    data: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    resource: Option<Resource<'a>>,
}

#[derive(Deserialize)]
struct Resource<'a> {
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    blob: Option<Cow<'a, str>>,
}

/// What a block holds.
enum Held<'a> {
    Text(Cow<'a, str>),
    Bytes(Vec<u8>),
    Other,
}

/// Returns what a call gives: the result of the tool, or why there is none.
pub(crate) fn outcome(answer: Answer) -> Result<HostValue, HostFailure> {
    let gone = |reason: &str| HostFailure::new("ServerGone", format!("the server of this tool {reason}"));
    match answer {
        Ok(result) => value(result.get()),
        // The detail is the host's: a guest learns nothing of addresses.
        Err(Refusal::Gone(reason) | Refusal::Unanswered { reason, .. }) => Err(gone(&reason)),
        Err(Refusal::Expired) => Err(gone("has ended the session")),
        Err(Refusal::Error { message, .. }) => Err(HostFailure::new("Refused", tidy(&message, MESSAGE))),
    }
}

/// Returns the arguments as one line. A guest writes them: with line breaks between its values, it could write messages of its own.
pub(crate) fn object(arguments: HostValue) -> Result<Box<RawValue>, HostFailure> {
    let invalid = |message: String| HostFailure::new("InvalidArguments", message);
    let HostValue::Json(text) = arguments else { return Err(invalid("a tool takes parameters, not bytes".to_owned())) };
    // In JSON, a line break is never within a string.
    let text = if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], " ") } else { text };
    let read = RawValue::from_string(text.trim().to_owned()).map_err(|error| invalid(error.to_string()))?;
    if read.get().starts_with('{') { Ok(read) } else { Err(invalid("a tool takes parameters by their names".to_owned())) }
}

/// Returns what the guest gets: the structured result if there is one; otherwise text as a string, one picture or file as bytes, and
/// anything else as the list that the protocol has.
fn value(result: &str) -> Result<HostValue, HostFailure> {
    let unreadable = |_| HostFailure::new("UnexpectedAnswer", "the server's answer is no result of a tool");
    let result: CallResult<'_> = serde_json::from_str(result).map_err(unreadable)?;
    if let Some(kind) = result.result_type.filter(|kind| kind != "complete") {
        return Err(HostFailure::new(
            "Unsupported",
            format!("the tool wants {} before it answers, which is not given here", tidy(&kind, 64)),
        ));
    }
    if let Some(structured) = result.structured_content.filter(|_| !result.is_error) {
        return Ok(HostValue::Json(structured.get().to_owned()));
    }
    let mut blocks: Vec<Held<'_>> = result.content.iter().map(|block| held(block)).collect();
    if let [Held::Bytes(bytes)] = blocks.as_mut_slice()
        && !result.is_error
    {
        return Ok(HostValue::Bytes(std::mem::take(bytes)));
    }
    let texts: Vec<&str> =
        blocks.iter().filter_map(|block| if let Held::Text(text) = block { Some(text.as_ref()) } else { None }).collect();
    if result.is_error {
        let said =
            if texts.is_empty() { result.structured_content.map_or("the tool failed", RawValue::get).to_owned() } else { texts.join("\n") };
        return Err(HostFailure::new("ToolError", tidy(&said, MESSAGE)));
    }
    if !texts.is_empty() && texts.len() == blocks.len() {
        return Ok(HostValue::from(serde_json::Value::String(texts.join("\n"))));
    }
    let list: Vec<&str> = result.content.iter().map(|block| block.get()).collect();
    Ok(HostValue::Json(if list.is_empty() { "null".to_owned() } else { format!("[{}]", list.join(",")) }))
}

fn held<'a>(block: &'a RawValue) -> Held<'a> {
    let Ok(block) = serde_json::from_str::<Block<'a>>(block.get()) else { return Held::Other };
    let resource = block.resource.unwrap_or(Resource { text: None, blob: None });
    let (text, data) = match block.kind.as_ref() {
        "text" => (block.text, None),
        "image" | "audio" => (None, block.data),
        "resource" => (resource.text, resource.blob),
        _ => (None, None),
    };
    let bytes = data.and_then(|data| STANDARD.decode(data.as_bytes()).ok());
    match (text, bytes) {
        (Some(text), _) => Held::Text(text),
        (None, Some(bytes)) => Held::Bytes(bytes),
        (None, None) => Held::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Result<HostValue, HostFailure> {
        Ok(HostValue::Json(text.to_owned()))
    }

    #[test]
    fn a_result_is_what_is_in_it() {
        for (result, expected) in [
            (r#"{"content":[{"type":"text","text":"a"}]}"#, json("\"a\"")),
            (r#"{"content":[{"type":"text","text":"a\n"},{"type":"text","text":"\"b"}]}"#, json(r#""a\n\n\"b""#)),
            (r#"{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n": 1}}"#, json(r#"{"n": 1}"#)),
            (r#"{"content":[{"type":"image","data":"AAH/","mimeType":"image/png"}]}"#, Ok(HostValue::Bytes(vec![0, 1, 255]))),
            (r#"{"content":[{"type":"resource","resource":{"uri":"u","text":"t"}}]}"#, json("\"t\"")),
            (r#"{"content":[{"type":"resource","resource":{"uri":"u","blob":"AA=="}}]}"#, Ok(HostValue::Bytes(vec![0]))),
            (r#"{"content":[{"type":"image","data":"!"}]}"#, json(r#"[{"type":"image","data":"!"}]"#)),
            (r#"{"content":[{"type":"hologram"},3]}"#, json(r#"[{"type":"hologram"},3]"#)),
            (r#"{"content":[]}"#, json("null")),
            (r#"{"resultType":"complete"}"#, json("null")),
        ] {
            assert_eq!(value(result), expected, "{result}");
        }
    }

    #[test]
    fn a_failure_says_what_the_tool_said() {
        for (result, name, message) in [
            (r#"{"content":[{"type":"text","text":"no such repository"}],"isError":true}"#, "ToolError", "no such repository"),
            (r#"{"content":[],"isError":true,"structuredContent":{"why":1}}"#, "ToolError", "{\"why\":1}"),
            (r#"{"isError":true}"#, "ToolError", "the tool failed"),
            (
                r#"{"resultType":"input_required"}"#,
                "Unsupported",
                "the tool wants input_required before it answers, which is not given here",
            ),
            ("[1]", "UnexpectedAnswer", "the server's answer is no result of a tool"),
            (r#"{"content":7}"#, "UnexpectedAnswer", "the server's answer is no result of a tool"),
        ] {
            assert_eq!(value(result), Err(HostFailure::new(name, message)), "{result}");
        }
        let long = format!(r#"{{"isError":true,"content":[{{"type":"text","text":"{}"}}]}}"#, "x".repeat(1 << 20));
        assert!(value(&long).is_err_and(|failure| failure.message.len() < MESSAGE + 10));
    }

    #[test]
    fn arguments_are_one_object_on_one_line() {
        let text = |text: &str| object(HostValue::Json(text.to_owned())).map(|read| read.get().to_owned());
        assert_eq!(text(r#" {"a": "x\ny"} "#).as_deref(), Ok(r#"{"a": "x\ny"}"#));
        // What would be a second message.
        let attack = "{\"a\": 1\n}\r\n{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\"}";
        assert!(text(attack).is_err());
        assert_eq!(text("{\n\"a\":\r\n1}").as_deref(), Ok("{ \"a\":  1}"));
        for wrong in ["", "[1]", "1", "null", "{", "{} {}", "{\"a\": \"\n\"}x"] {
            assert!(text(wrong).is_err(), "{wrong:?}");
        }
        assert!(object(HostValue::Bytes(b"{}".to_vec())).is_err());
    }
}
