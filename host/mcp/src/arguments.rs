//! The arguments of the tools. Their comments are what the model reads.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::CallError;

/// Makes the type of a tool's arguments.
macro_rules! arguments {
    ($($name:ident { $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)* })+) => {
        $(
            #[derive(Debug, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            pub(crate) struct $name {
                $($(#[doc = $doc])+ pub(crate) $field: $type,)*
                /// The session, by a name of your choice; a new name is a new, empty session. Leave it out for the session of this
                /// connection.
                pub(crate) session: Option<String>,
            }
        )+
    };
}

arguments! {
    RunPython {
        /// The code. Variables, imports and functions of earlier calls are there; the value of a last expression is returned.
        code: String,
        /// Interrupts the code after this time; the interpreter stays alive. The policy's limit applies too.
        timeout_ms: Option<u64>,
        /// Maximum bytes of output to return (default 40000). The rest can be read with `read_output`.
        max_output: Option<u32>,
    }
    RunShell {
        /// A script for a shell that behaves as bash. Each call is a new shell: files stay, variables and `cd` do not.
        command: String,
        /// The working directory (default: /home/user).
        cwd: Option<String>,
        /// Standard input (default: empty).
        stdin: Option<String>,
        /// Ends the command after this time. The policy's limit applies too.
        timeout_ms: Option<u64>,
        /// Returns at once, with an id for `read_output`, while the command goes on.
        background: Option<bool>,
        /// Maximum bytes of output to return (default 40000). The rest can be read with `read_output`.
        max_output: Option<u32>,
    }
    ReadOutput {
        /// The id of a command or an evaluation, as the result of `run_shell` or `run_python` names it: `c3`, `e7`.
        id: String,
        /// `stderr` for the error output of an evaluation; a command has both in one (default: `stdout`).
        stream: Option<StreamName>,
        /// The offset of the first byte (default 0).
        offset: Option<u64>,
        /// Maximum bytes (default 40000).
        limit: Option<u32>,
        /// Waits for at most this time until there is output, or the command ends (default 0).
        wait_ms: Option<u64>,
    }
    ReadFile {
        /// The path; a relative one starts at /home/user.
        path: String,
        /// The first line, counted from 1 (default 1).
        offset: Option<u64>,
        /// Maximum lines (default: as many as fit).
        limit: Option<u64>,
    }
    WriteFile {
        /// The path; a relative one starts at /home/user. Missing directories are made.
        path: String,
        /// The whole new contents.
        content: String,
    }
    EditFile {
        /// The path; a relative one starts at /home/user.
        path: String,
        /// The text to replace, exactly as it is in the file. It must be there once, unless `replace_all` is true.
        old_text: String,
        /// The text in its place.
        new_text: String,
        /// Replaces each occurrence (default: false).
        replace_all: Option<bool>,
    }
    ListFiles {
        /// The directory (default: /home/user).
        path: Option<String>,
        /// How many levels deep (default 1).
        depth: Option<u32>,
        /// Lists the files below the directory whose path matches this pattern instead, such as `**/*.py`.
        pattern: Option<String>,
    }
    SearchFiles {
        /// A regular expression in the syntax of ripgrep.
        pattern: String,
        /// The file or directory to search (default: /home/user).
        path: Option<String>,
        /// Only files whose name, or path below the directory, matches this pattern, such as `*.py`.
        glob: Option<String>,
        /// Takes the pattern as plain text (default: false).
        literal: Option<bool>,
        /// Takes upper and lower case as the same (default: false).
        ignore_case: Option<bool>,
        /// Maximum lines to return (default 200).
        limit: Option<u32>,
    }
    ViewImage {
        /// The path of a PNG or JPEG file of at most 1 MB; a relative one starts at /home/user.
        path: String,
    }
    Checkpoint {
        /// What you want to remember about it.
        label: Option<String>,
    }
    ForkSession {
        /// The checkpoint to start from, by its id (default: the session as it is now).
        checkpoint: Option<String>,
        /// The name of the new session (default: chosen for you).
        name: Option<String>,
    }
    RestoreSession {
        /// The checkpoint to go back to, by its id.
        checkpoint: String,
    }
    SessionDiff {
        /// The directory or file to compare (default: everything).
        path: Option<String>,
        /// Only names the files, without the changed lines (default: false).
        names_only: Option<bool>,
    }
    ExplainPolicy {
    }
}

/// One of the two outputs.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StreamName {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Reads the arguments of a call.
///
/// # Errors
/// If one is missing, has another type, or is unknown.
pub(crate) fn read<T: DeserializeOwned>(tool: &str, arguments: Option<JsonObject>) -> Result<T, CallError> {
    let arguments = Value::Object(arguments.unwrap_or_default());
    serde_json::from_value(arguments).map_err(|error| CallError::Arguments(format!("the arguments of `{tool}` are wrong: {error}")))
}

/// Returns the schema of a tool's arguments, in the words that every client understands: no `null` for what can be left out, no formats.
pub(crate) fn schema<T: JsonSchema>() -> JsonObject {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let Value::Object(mut schema) = schema.to_value() else { return JsonObject::new() };
    for name in ["$schema", "title", "description"] {
        schema.remove(name);
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(plain);
    }
    schema
}

/// Takes out of a property's schema what says that it may be `null`, and the format of numbers.
fn plain(property: &mut Value) {
    let Value::Object(property) = property else { return };
    property.remove("format");
    if property.get("default").is_some_and(Value::is_null) {
        property.remove("default");
    }
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|one| one != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            property.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(any)) = property.remove("anyOf") {
        // An enum that may be missing: its own schema, with the description of the field.
        for one in any {
            let Value::Object(one) = one else { continue };
            if one.get("type").is_some_and(|kind| kind == "null") {
                continue;
            }
            let words =
                one.get("oneOf").and_then(Value::as_array).map(|all| all.iter().filter_map(|one| one.get("const").cloned()).collect());
            match words {
                Some(words) => {
                    property.insert("type".to_owned(), Value::String("string".to_owned()));
                    property.insert("enum".to_owned(), Value::Array(words));
                }
                None => {
                    one.into_iter().filter(|(name, _)| name != "description").for_each(|(name, value)| drop(property.insert(name, value)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_has_no_null_and_no_format() {
        let schema = Value::Object(schema::<ReadOutput>());
        let text = schema.to_string();
        assert!(!text.contains("null") && !text.contains("format") && !text.contains("$ref"), "{text}");
        assert_eq!(schema["required"], json!(["id"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["offset"]["type"], "integer");
        assert_eq!(schema["properties"]["stream"]["enum"], json!(["stdout", "stderr"]));
        assert!(schema["properties"]["session"]["description"].as_str().is_some_and(|text| text.contains("session")));
    }

    #[test]
    fn arguments_that_are_wrong_are_refused_and_others_read() {
        let read_shell = |value: Value| read::<RunShell>("run_shell", value.as_object().cloned());
        assert_eq!(read_shell(json!({ "command": "ls", "background": true })).expect("right").command, "ls");
        for wrong in
            [json!({}), json!({ "command": 1 }), json!({ "command": "ls", "timeout_ms": -1 }), json!({ "command": "ls", "shell": "x" })]
        {
            assert!(matches!(read_shell(wrong), Err(CallError::Arguments(text)) if text.contains("run_shell")));
        }
    }
}
