//! `host`: the functions of the program that runs the sandbox, as commands.

mod arguments;
#[cfg(target_family = "wasm")]
mod call;

use crate::json::{Val, parse_one, to_text};
use arguments::arguments;
use std::ffi::OsString;
use std::io::{Read, Write};

const USAGE: &str = "Usage: host --list [--json]
  or:  host --help NAME
  or:  host NAME [--PARAMETER VALUE]...
  or:  host NAME JSON
  or:  host NAME -            (JSON from standard input)
  or:  host --bytes NAME      (the bytes of standard input)
Call a function of the program that runs this sandbox, and print its result: JSON on a line, each item of several on
its own, bytes as they are. The policy says which functions there are.

Exit status: 0; 1 if the function failed or a limit ended the call; 2 for a wrong command line; 126 if the policy
denies the call; 127 if there is no such function.
";

/// What the host says about a function.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "only a host makes them"))]
pub(super) struct Function {
    pub name: String,
    pub documentation: String,
    pub parameters: String,
    pub returns: String,
    pub streams: bool,
}

/// What is sent, and what comes back.
pub(super) enum Value {
    Json(String),
    Bytes(Vec<u8>),
}

/// Why a command failed: its message and its status.
pub(super) type Failure = (String, u8);

/// Returns the failure for a wrong command line.
fn wrong(message: impl Into<String>) -> Failure {
    (message.into(), 2)
}

/// Runs the command. Returns its status.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let words: Vec<String> = args.into_iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match run(&words) {
        Ok(()) => 0,
        Err((message, status)) => {
            wisp_tool::text::complain("host", message);
            status
        }
    }
}

fn run(words: &[String]) -> Result<(), Failure> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => Err(wrong(format!("which function?\n{}", USAGE.trim_end()))),
        ["--help" | "-h"] => print(USAGE.as_bytes()),
        ["--list" | "-l"] => print(list(&call::functions("--list")?).as_bytes()),
        ["--list" | "-l", "--json"] | ["--json", "--list" | "-l"] => print(list_json(&call::functions("--list")?).as_bytes()),
        ["--help" | "-h", name] | [name, "--help"] => print(help(&find(name)?).as_bytes()),
        ["--bytes", name] => send(name, Value::Bytes(input()?)),
        ["--bytes" | "--json" | "--list" | "-l", ..] => Err(wrong("this option takes other arguments; try `host --help`")),
        [option, ..] if option.starts_with('-') => Err(wrong(format!("unknown option `{option}`; try `host --help`"))),
        [name, ..] if name.contains(['.', ':']) => Err(wrong(format!(
            "`{name}` is no function; this is not the program that looks up names of machines, which are not looked up here"
        ))),
        [name, "-"] => {
            let text = String::from_utf8(input()?).map_err(|_| wrong("standard input is not UTF-8; `host --bytes NAME` sends bytes"))?;
            send(name, json(&text)?)
        }
        [name, text] if text.trim_start().starts_with('{') => send(name, json(text)?),
        [name, rest @ ..] => {
            // A function that is not listed has no schema: the host then says why it cannot be called.
            let described = if rest.is_empty() { Vec::new() } else { call::functions(name)? };
            let described = described.iter().find(|function| function.name == *name);
            let schema = described.and_then(|function| parse_one(&function.parameters).ok()).unwrap_or(Val::Null);
            send(name, Value::Json(to_text(&arguments(rest, &schema).map_err(wrong)?)))
        }
    }
}

/// Natively there is no host: the tests run what does not need one.
#[cfg(not(target_family = "wasm"))]
mod call {
    use super::{Failure, Function, Value};

    const OUTSIDE: &str = "this program runs inside a sandbox only";

    pub(super) fn functions(_: &str) -> Result<Vec<Function>, Failure> {
        Err((OUTSIDE.to_owned(), 126))
    }

    pub(super) fn each(_: &str, _: Value, _: impl FnMut(Value) -> Result<(), Failure>) -> Result<(), Failure> {
        Err((OUTSIDE.to_owned(), 126))
    }
}

fn send(name: &str, value: Value) -> Result<(), Failure> {
    call::each(name, value, |item| match item {
        Value::Json(text) => print(format!("{text}\n").as_bytes()),
        Value::Bytes(bytes) => print(&bytes),
    })
}

/// Checks JSON and makes it one line.
fn json(text: &str) -> Result<Value, Failure> {
    parse_one(text).map(|value| Value::Json(to_text(&value))).map_err(|error| wrong(format!("the arguments are no JSON: {error}")))
}

fn find(name: &str) -> Result<Function, Failure> {
    let functions = call::functions(name)?;
    let names: Vec<String> = functions.iter().map(|function| function.name.clone()).collect();
    functions.into_iter().find(|function| function.name == name).ok_or_else(|| {
        let there = if names.is_empty() { "there are none".to_owned() } else { format!("there are {}", names.join(", ")) };
        (format!("{name}: this session has no such function; {there}"), 127)
    })
}

fn input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err((format!("standard input: {}", crate::sys::reason(&error)), 1)),
    }
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|error| (format!("write error: {}", crate::sys::reason(&error)), 1))
}

/// Returns a line for each function: its name, and the first line of its documentation.
fn list(functions: &[Function]) -> String {
    let width = functions.iter().map(|function| function.name.len()).max().unwrap_or(0);
    let line = |function: &Function| {
        let first = function.documentation.lines().next().unwrap_or_default();
        format!("{:width$}  {first}", function.name).trim_end().to_owned() + "\n"
    };
    functions.iter().map(line).collect()
}

fn list_json(functions: &[Function]) -> String {
    let schema = |text: &str| parse_one(text).unwrap_or(Val::Null);
    let one = |function: &Function| {
        Val::fields([
            ("name", Val::str(&*function.name)),
            ("documentation", Val::str(&*function.documentation)),
            ("parameters", schema(&function.parameters)),
            ("returns", schema(&function.returns)),
            ("streams", Val::Bool(function.streams)),
        ])
    };
    to_text(&Val::arr(functions.iter().map(one).collect())) + "\n"
}

/// Returns what is known about one function.
fn help(function: &Function) -> String {
    let mut text = format!("Usage: host {}", function.name);
    let parameters = arguments::parameters(&parse_one(&function.parameters).unwrap_or(Val::Null));
    for parameter in &parameters {
        let option = format!("--{} {}", parameter.name, parameter.kind.to_uppercase());
        text.push_str(&if parameter.required { format!(" {option}") } else { format!(" [{option}]") });
    }
    text.push('\n');
    if !function.documentation.is_empty() {
        text.push_str(function.documentation.trim_end());
        text.push('\n');
    }
    if parameters.iter().any(|parameter| !parameter.description.is_empty()) {
        text.push('\n');
    }
    for parameter in parameters.iter().filter(|parameter| !parameter.description.is_empty()) {
        text.push_str(&format!("  --{}  {}\n", parameter.name, parameter.description));
    }
    if !function.returns.is_empty() {
        let what = if function.streams { "Prints items, each of" } else { "Prints" };
        text.push_str(&format!("\n{what}: {}\n", function.returns));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search() -> Function {
        Function {
            name: "search".to_owned(),
            documentation: "Searches the web.\nMore about it.".to_owned(),
            parameters:
                r#"{"properties":{"limit":{"type":"integer","description":"how many"},"query":{"type":"string"}},"required":["query"]}"#
                    .to_owned(),
            returns: r#"{"type":"array"}"#.to_owned(),
            streams: false,
        }
    }

    #[test]
    fn a_list_has_a_line_for_each_function() {
        let short = Function {
            name: "f".to_owned(),
            documentation: String::new(),
            parameters: String::new(),
            returns: String::new(),
            streams: true,
        };
        assert_eq!(list(&[search(), short]), "search  Searches the web.\nf\n");
        assert_eq!(list(&[]), "");
    }

    #[test]
    fn help_names_required_parameters_first() {
        let expected = "Usage: host search --query STRING [--limit INTEGER]\nSearches the web.\nMore about it.\n\n  --limit  how many\n\nPrints: {\"type\":\"array\"}\n";
        assert_eq!(help(&search()), expected);
    }

    #[test]
    fn a_wrong_command_line_has_status_2() {
        for words in [&[][..], &["--what"], &["--bytes"], &["f", "{"], &["example.com"]] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(run(&words).expect_err("a wrong command line").1, 2, "{words:?}");
        }
    }
}
