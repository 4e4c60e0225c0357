//! `yq`: jq's language over YAML, JSON and TOML.

mod keep;
mod options;
mod toml;
mod yaml_read;
mod yaml_write;

use crate::json::{Style, Val, parse_all, print};
use crate::lang::{Library, compile};
use crate::run::{Context, Error, Inputs, Machine};
use crate::sys;
use options::{Format, Options, parse};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::rc::Rc;

/// No more input than the document itself.
struct Nothing;

impl Inputs for Nothing {
    fn next(&mut self) -> Option<Result<Val, String>> {
        None
    }
    fn file(&self) -> Val {
        Val::Null
    }
    fn line(&self) -> usize {
        0
    }
}

/// Runs `yq`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let args: Vec<String> = args.into_iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let options = match parse(&args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    match run(&options) {
        Ok(status) => status,
        Err(message) => {
            eprintln!("Error: {message}");
            1
        }
    }
}

/// Returns what mikefarah's yq has and jq has not, where it is only another spelling.
fn translated(expression: &str, all: bool) -> String {
    let mut text = expression.to_owned();
    for (name, open) in [("strenv(", "$ENV."), ("env(", "$ENV.")] {
        let mut from = 0;
        while let Some(at) = text[from..].find(name).map(|at| at + from) {
            let start = at + name.len();
            let before = text[..at].chars().next_back();
            let end = text[start..].find(')').map(|end| start + end);
            let variable = end.map(|end| text[start..end].to_owned());
            let whole = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
            match (end, variable) {
                (Some(end), Some(variable))
                    if !whole && !variable.is_empty() && variable.chars().all(|c| c.is_alphanumeric() || c == '_') =>
                {
                    let new = if name == "env(" { format!("({open}{variable} | (fromjson? // .))") } else { format!("{open}{variable}") };
                    text.replace_range(at..=end, &new);
                    from = at + new.len();
                }
                _ => from = start,
            }
        }
    }
    if all {
        for name in ["fileIndex", "file_index", "fi", "documentIndex", "document_index", "di"] {
            for n in 0..10 {
                for select in [format!("select({name} == {n})"), format!("select({name}=={n})")] {
                    text = text.replace(&select, &format!(".[{n}]"));
                }
            }
        }
        if let Some((source, rest)) = text.split_once(" ireduce ")
            && let Some(name) = source.trim().strip_prefix(". as ")
        {
            text = format!("reduce .[] as {name} {rest}");
        }
        // The expression is for all documents together: paths and selections are of each.
        if text == expression {
            let path = text.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '"'));
            match text.trim() {
                "." => text = ".[]".into(),
                "[.]" => text = ".".into(),
                _ if path || text.starts_with("select(") => text = format!(".[] | {text}"),
                _ => {}
            }
        }
    }
    text
}

fn read(name: &str, format: Format) -> Result<Vec<Val>, String> {
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().read_to_end(&mut bytes).map_err(|e| sys::reason(&e))?;
    } else {
        bytes = std::fs::read(name).map_err(|e| format!("open {name}: {}", sys::reason(&e).to_lowercase()))?;
    }
    let text = String::from_utf8_lossy(&bytes);
    let documents = match format {
        Format::Json => parse_all(text.as_bytes()),
        Format::Toml => toml::read(&text).map(|val| vec![val]),
        _ => yaml_read::documents(&text),
    };
    let documents = documents.map_err(|error| format!("bad file '{name}': {error}"))?;
    Ok(if documents.is_empty() { vec![Val::Null] } else { documents })
}

fn run(options: &Options) -> Result<u8, String> {
    let library = Rc::new(Library { paths: Vec::new(), origin: PathBuf::from("."), program: PathBuf::new() });
    let expression = translated(&options.expression, options.all);
    let program = compile(&expression, "<expression>", &options.globals, &library)?;
    let mut machine = Machine::new(Context::new(Box::new(Nothing), library, Style::default()));
    let mut files = options.files.clone();
    if files.is_empty() && !options.null_input {
        files.push("-".into());
    }
    if options.in_place && files.first().is_none_or(|f| f == "-") {
        return Err("write in place flag only applicable when giving an expression and at least one file".into());
    }
    let input_of = |name: &str| options.input.unwrap_or_else(|| Format::of_file(name));
    let first = files.first().map_or(Format::Yaml, |name| input_of(name));
    // `-p json` alone converts to YAML; a file's own format stays.
    let output = options.output.unwrap_or(if options.input.is_some() { Format::Yaml } else { first });
    let mut documents = Vec::new();
    for name in &files {
        documents.extend(read(name, input_of(name))?);
    }
    if options.null_input {
        documents = vec![Val::Null];
    } else if options.all {
        documents = vec![Val::arr(documents)];
    }
    let mut text = String::new();
    let mut good = false;
    let mut changed = Vec::new();
    for (at, document) in documents.into_iter().enumerate() {
        let mut results = Vec::new();
        machine.start(program.main, document);
        loop {
            match machine.next() {
                Ok(Some(val)) => results.push(val),
                Ok(None) => break,
                Err(Error::Value(val)) => return Err(val.text().as_str().to_owned()),
                Err(Error::Halt(code, _)) => return Ok((code & 0xff) as u8),
                Err(Error::Break(_)) => return Err("break".into()),
            }
        }
        good |= results.iter().any(Val::is_true);
        if at > 0 && !results.is_empty() && output == Format::Yaml && !options.no_separator {
            text += "---\n";
        }
        for val in &results {
            text += &shown(val, output, options)?;
        }
        changed.push(results);
    }
    if options.in_place {
        if first == Format::Yaml && output == Format::Yaml && !options.all && files.len() == 1 {
            text = kept(&files[0], &changed, text, options);
        }
        std::fs::write(&files[0], text).map_err(|e| format!("{}: {}", files[0], sys::reason(&e)))?;
    } else {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| sys::reason(&e))?;
    }
    if options.exit_status && !good {
        eprintln!("Error: no matches found");
        return Ok(1);
    }
    Ok(0)
}

/// Returns the file's text with what changed changed in it, where that can be done; otherwise `rewritten`, with a warning about what is
/// lost.
fn kept(file: &str, changed: &[Vec<Val>], rewritten: String, options: &Options) -> String {
    let Ok(old) = std::fs::read_to_string(file) else { return rewritten };
    let single: Option<Vec<Val>> = changed.iter().map(|results| if let [one] = &results[..] { Some(one.clone()) } else { None }).collect();
    if !options.indented
        && let Some(text) = single.and_then(|new| keep::edited(&old, &new, options.indent))
    {
        return text;
    }
    if keep::has_more(&old) {
        eprintln!("Warning: comments and anchors of {file} are lost: this edit rewrites the whole file");
    }
    rewritten
}

fn shown(val: &Val, output: Format, options: &Options) -> Result<String, String> {
    if let Val::Str(text) = val
        && options.raw.unwrap_or(output != Format::Json)
    {
        return Ok(format!("{text}\n"));
    }
    Ok(match output {
        Format::Yaml => yaml_write::document(val, options.indent),
        Format::Json => {
            let indent = if options.compact || options.indent == 0 { None } else { Some(" ".repeat(options.indent)) };
            print(val, &Style { indent, ..Style::default() }) + "\n"
        }
        Format::Toml if matches!(val, Val::Obj(_)) => toml::write(val)?,
        Format::Toml => format!("{}\n", val.text()),
        Format::Props => {
            let mut out = String::new();
            props(val, "", &mut out);
            out
        }
        Format::Csv | Format::Tsv => rows(val, if output == Format::Csv { "csv" } else { "tsv" })?,
    })
}

fn props(val: &Val, path: &str, out: &mut String) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match val {
        Val::Obj(fields) => fields.0.iter().for_each(|(key, val)| props(val, &below(key), out)),
        Val::Arr(items) => items.0.iter().enumerate().for_each(|(at, val)| props(val, &below(&at.to_string()), out)),
        other => *out += &format!("{path} = {}\n", other.text()),
    }
}

/// Returns an array of arrays, of scalars, or of objects (with a row of their keys).
fn rows(val: &Val, format: &str) -> Result<String, String> {
    let Val::Arr(items) = val else { return Err(format!("{format} encoding only works for arrays, got: {}", val.kind())) };
    let line = |row: &Val| match crate::run::natives::format_plain_row(format, row) {
        Ok(line) => Ok(line + "\n"),
        Err(error) => Err(error),
    };
    match items.0.first() {
        Some(Val::Arr(_)) => items.0.iter().map(line).collect(),
        Some(Val::Obj(head)) => {
            let names: Vec<_> = head.0.keys().cloned().collect();
            let mut out = line(&Val::arr(names.iter().cloned().map(Val::Str).collect()))?;
            for item in &items.0 {
                let Val::Obj(fields) = item else { return Err("rows of different kinds".into()) };
                let row = names.iter().map(|name| fields.0.get(name).cloned().unwrap_or(Val::Null)).collect();
                out += &line(&Val::arr(row))?;
            }
            Ok(out)
        }
        _ => line(val),
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn other_spellings() {
        assert_eq!(translated(".a = strenv(X)", false), ".a = $ENV.X");
        assert_eq!(translated("select(fileIndex == 0) * select(fi == 1)", true), ".[0] * .[1]");
        assert_eq!(translated(". as $item ireduce ({}; . * $item)", true), "reduce .[] as $item ({}; . * $item)");
        assert_eq!(translated("myenv(X)", false), "myenv(X)");
        assert_eq!((translated(".a", true), translated("[.]", true)), (".[] | .a".into(), ".".into()));
    }
}
