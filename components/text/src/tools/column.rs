//! `column`: lines in columns, tables.

use crate::options::{Line, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;
use std::io::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const SYNTAX: Syntax = Syntax {
    usage: "[options] [<file>...]",
    about: "Columnate lists.",
    options: &[
        flag("t", "table", "create a table"),
        value("n", "table-name", "table name for JSON output"),
        value("O", "table-order", "specify order of output columns"),
        value("N", "table-columns", "comma separated columns names"),
        value("l", "table-columns-limit", "maximal number of input columns"),
        value("E", "table-noextreme", "don't count long text of these columns to their width"),
        flag("d", "table-noheadings", "don't print header"),
        flag("e", "table-header-repeat", "accepted: output has no pages here"),
        value("H", "table-hide", "don't print the columns"),
        value("R", "table-right", "right align text in these columns"),
        value("T", "table-truncate", "cut text in these columns where the output would be too wide"),
        value("W", "table-wrap", "accepted; changes nothing"),
        flag("L", "keep-empty-lines", "don't ignore empty lines"),
        flag("", "table-empty-lines", "the same as --keep-empty-lines"),
        flag("J", "json", "use JSON output format for table"),
        value("c", "output-width", "width of output in number of characters"),
        value("", "columns", "the same as --output-width"),
        value("o", "output-separator", "columns separator for table output (default is two spaces)"),
        value("s", "separator", "possible table delimiters"),
        flag("x", "fillrows", "fill rows before columns"),
    ],
    origin: "wisp",
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Runs `column`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let files = if line.operands.is_empty() { vec!["-".into()] } else { line.operands.clone() };
    let mut status = 0;
    let mut rows: Vec<String> = Vec::new();
    for name in &files {
        match text::slurp(name) {
            Ok(bytes) => {
                let all = shown(&bytes);
                let all = all.strip_suffix('\n').unwrap_or(&all);
                let keep = line.has("keep-empty-lines") || line.has("table-empty-lines");
                rows.extend(all.split('\n').filter(|l| keep || !l.trim().is_empty()).map(str::to_owned));
            }
            Err(error) => {
                text::complain("column", format!("{}: {}", text::show(name), text::reason(&error)));
                status = 1;
            }
        }
    }
    let width = line.last_text("output-width").or(line.last_text("columns")).or_else(|| std::env::var("COLUMNS").ok());
    let width = match width.as_deref() {
        Some("unlimited") => 0,
        Some(text) => match text.parse::<usize>() {
            Ok(width) => width.max(1),
            Err(_) => {
                text::complain("column", format!("invalid columns argument: '{text}'"));
                return 1;
            }
        },
        None => 80,
    };
    let out = if line.has("table") || line.has("json") { table(&line, &rows, width) } else { Ok(list(&rows, width, line.has("fillrows"))) };
    match out {
        Ok(out) => {
            let mut stdout = text::output();
            if stdout.write_all(out.as_bytes()).and_then(|()| stdout.flush()).is_err() { 1 } else { status }
        }
        Err(message) => {
            text::complain("column", message);
            1
        }
    }
}

/// Returns a text, with invalid bytes written as `\xNN`.
fn shown(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        out += chunk.valid();
        chunk.invalid().iter().for_each(|b| out += &format!("\\x{b:02x}"));
    }
    out
}

/// Returns the columns that a text takes; unprintable characters and escape sequences such as colors take none.
fn columns(text: &str) -> usize {
    let mut sum = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if let ('\u{1b}', Some(inner)) = (c, rest.strip_prefix('['))
            && let Some(end) = inner.find(|c: char| ('@'..='~').contains(&c))
        {
            rest = &inner[end + 1..];
        } else {
            sum += c.width().unwrap_or(0);
        }
    }
    sum
}

/// Returns As much of a text as fits into a width.
fn fitted(text: &str, width: usize) -> &str {
    if columns(text) <= width {
        return text;
    }
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.width().unwrap_or(0);
        used > width
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// Returns lines in columns that are as wide as the longest, up to the next tab.
fn list(rows: &[String], width: usize, by_rows: bool) -> String {
    let longest = rows.iter().map(|r| r.width()).max().unwrap_or(0);
    let column = (longest + 8) & !7;
    let columns = if width == 0 { rows.len().max(1) } else { (width / column).max(1) };
    if columns == 1 || longest >= width && width > 0 {
        return rows.iter().map(|r| format!("{r}\n")).collect();
    }
    let height = rows.len().div_ceil(columns);
    let mut out = String::new();
    for y in 0..height {
        let mut place = 0;
        let mut position = 0;
        for x in 0..columns {
            let at = if by_rows { y * columns + x } else { x * height + y };
            let Some(text) = rows.get(at) else { break };
            // Tabs up to the start of this column.
            while position < place {
                out.push('\t');
                position = (position / 8 + 1) * 8;
            }
            out += text;
            position += text.width();
            place += column;
        }
        out.push('\n');
    }
    out
}

/// Returns the columns that a list of names and numbers stands for; `0` and `-` mean all.
fn chosen(list: &str, names: &[String], count: usize) -> Result<Vec<usize>, String> {
    let mut all = Vec::new();
    for item in list.split(',').filter(|i| !i.is_empty()) {
        match (item.parse::<usize>(), names.iter().position(|n| n == item)) {
            _ if item == "0" || item == "-" => all.extend(0..count),
            (_, Some(at)) => all.push(at),
            (Ok(number), _) => all.push(number - 1),
            _ => return Err(format!("undefined column name '{item}'")),
        }
    }
    Ok(all)
}

fn table(line: &Line, rows: &[String], room: usize) -> Result<String, String> {
    let limit = match line.last_text("table-columns-limit") {
        Some(text) => text.parse::<usize>().ok().filter(|n| *n > 0).ok_or(format!("columns limit must be greater than zero: '{text}'"))?,
        None => usize::MAX,
    };
    let separators = line.last_text("separator");
    let cells: Vec<Vec<String>> = rows.iter().map(|r| cut(r, separators.as_deref(), limit)).collect();
    let names: Vec<String> = line.last_text("table-columns").map(|n| n.split(',').map(str::to_owned).collect()).unwrap_or_default();
    let count = cells.iter().map(Vec::len).max().unwrap_or(0).max(names.len());
    let hidden = chosen(&line.last_text("table-hide").unwrap_or_default(), &names, count)?;
    let right = chosen(&line.last_text("table-right").unwrap_or_default(), &names, count)?;
    let mut order = chosen(&line.last_text("table-order").unwrap_or_default(), &names, count)?;
    order.extend((0..count).filter(|c| !order.contains(c)).collect::<Vec<_>>());
    order.retain(|c| !hidden.contains(c));
    if line.has("json") {
        if names.is_empty() {
            return Err("option --table-columns required for --json".into());
        }
        // GNU counts the names as the first line.
        if let Some(line) = cells.iter().position(|row| row.len() > names.len()) {
            return Err(format!("line {}: for JSON the name of the column {} is required", line + 2, names.len() + 1));
        }
        return Ok(json(&line.last_text("table-name").unwrap_or_else(|| "table".into()), &names, &order, &cells));
    }
    let mut all = Vec::new();
    if !names.is_empty() && !line.has("table-noheadings") {
        all.push(names.clone());
    }
    all.extend(cells);
    let mut widths: Vec<usize> = (0..count).map(|c| all.iter().filter_map(|r| r.get(c)).map(|t| columns(t)).max().unwrap_or(0)).collect();
    let between = line.last_text("output-separator").unwrap_or_else(|| "  ".into());
    let cut = chosen(&line.last_text("table-truncate").unwrap_or_default(), &names, count)?;
    let total = |widths: &[usize]| order.iter().map(|c| widths[*c]).sum::<usize>() + between.width() * order.len().saturating_sub(1);
    while room > 0 && total(&widths) > room {
        // Cut the widest column of those that may be cut, down to one character.
        let Some(widest) = cut.iter().copied().filter(|c| *c < count && widths[*c] > 1).max_by_key(|c| widths[*c]) else { break };
        widths[widest] -= 1;
    }
    let mut out = String::new();
    for row in &all {
        for (at, c) in order.iter().enumerate() {
            let text = fitted(row.get(*c).map_or("", String::as_str), widths[*c]);
            let missing = widths[*c] - columns(text);
            if right.contains(c) {
                out.extend(std::iter::repeat_n(' ', missing));
            }
            out += text;
            let last = at + 1 == order.len();
            if !right.contains(c) && !last {
                out.extend(std::iter::repeat_n(' ', missing));
            }
            if !last {
                out += &between;
            }
        }
        out.push('\n');
    }
    Ok(out)
}

/// Splits a line into cells: at runs of blanks, or at each of the given characters.
fn cut(row: &str, separators: Option<&str>, limit: usize) -> Vec<String> {
    let mut cells = Vec::new();
    let mut rest = row;
    match separators {
        None => loop {
            rest = rest.trim_start_matches([' ', '\t']);
            if rest.is_empty() {
                break;
            }
            if cells.len() + 1 == limit {
                cells.push(rest.to_owned());
                break;
            }
            let end = rest.find([' ', '\t']).unwrap_or(rest.len());
            cells.push(rest[..end].to_owned());
            rest = &rest[end..];
        },
        Some(set) => loop {
            match rest.find(|c| set.contains(c)).filter(|_| cells.len() + 1 < limit) {
                Some(end) => {
                    cells.push(rest[..end].to_owned());
                    rest = &rest[end + rest[end..].chars().next().map_or(1, char::len_utf8)..];
                }
                None => {
                    cells.push(rest.to_owned());
                    break;
                }
            }
        },
    }
    cells
}

fn json(table: &str, names: &[String], order: &[usize], rows: &[Vec<String>]) -> String {
    let quote = |text: &str| {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' => out += "\\\"",
                '\\' => out += "\\\\",
                '\n' => out += "\\n",
                '\t' => out += "\\t",
                '\r' => out += "\\r",
                c if (c as u32) < 0x20 => out += &format!("\\u{:04x}", c as u32),
                c => out.push(c),
            }
        }
        out + "\""
    };
    let mut out = format!("{{\n   {}: [", quote(&table.to_lowercase()));
    for (n, row) in rows.iter().enumerate() {
        out += if n == 0 { "\n      {" } else { ",{" };
        for (at, c) in order.iter().enumerate() {
            let name = names.get(*c).map_or_else(String::new, |n| n.to_lowercase());
            let value = row.get(*c).filter(|v| !v.is_empty()).map_or("null".to_owned(), |v| quote(v));
            out += &format!("{}\n         {}: {value}", if at > 0 { "," } else { "" }, quote(&name));
        }
        out += "\n      }";
    }
    out + "\n   ]\n}\n"
}
