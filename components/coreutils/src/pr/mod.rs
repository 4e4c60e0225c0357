//! `pr`: pages and columns for a printer.

mod input;
pub(crate) use input::Directory;
mod layout;
mod options;
mod settings;
mod sheet;

use crate::options::Line;
use crate::{sys, text, time};
use input::{Input, Reader, Stopped};
use layout::Layout;
use options::SYNTAX;
use settings::Settings;
use sheet::Sheet;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use wisp_tool::calendar;

/// Runs `pr`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let (settings, files) = match options::read(args, &line) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let files = if files.is_empty() { vec![OsString::from("-")] } else { files };
    let mut job = Job { out: Sheet::new(text::output(), &settings), settings, stdin: None, failed: false };
    if job.settings.merge {
        let sources: Vec<Source> = files.iter().filter_map(|f| job.open(f)).collect();
        if !sources.is_empty() {
            job.print(sources, files.len());
        }
    } else {
        let columns = job.settings.columns;
        for file in &files {
            if let Some(source) = job.open(file)
                && !job.print(vec![source], columns)
            {
                break;
            }
        }
    }
    let written = job.out.finish();
    u8::from(job.failed || written.is_err())
}

/// A file to print.
struct Source {
    name: OsString,
    reader: Reader,
}

struct Job<W: Write> {
    settings: Settings,
    out: Sheet<W>,
    stdin: Option<Input>,
    failed: bool,
}

impl<W: Write> Job<W> {
    /// Opens a file. Reports an error itself.
    fn open(&mut self, name: &OsStr) -> Option<Source> {
        let input = if name == "-" {
            self.stdin.get_or_insert_with(|| input::input(Box::new(std::io::stdin()))).clone()
        } else {
            match std::fs::File::open(name) {
                // Not every system reports this when a directory is opened or read.
                Ok(_) if sys::stat(name.as_ref(), true).is_ok_and(|stat| stat.is_dir()) => input::input(Box::new(Directory)),
                Ok(file) => input::input(Box::new(file)),
                Err(error) => {
                    if !self.settings.quiet {
                        self.complain(format!("{}: {}", text::quote_if_needed(name), text::reason(&error)));
                    }
                    self.failed = true;
                    return None;
                }
            }
        };
        Some(Source { name: name.to_owned(), reader: Reader::new(input) })
    }

    fn complain(&mut self, message: String) {
        let _ = self.out.flush();
        text::complain("pr", message);
        self.failed = true;
    }

    /// Prints one file, or several side by side. Returns false if no other file may follow.
    fn print(&mut self, sources: Vec<Source>, columns: usize) -> bool {
        let mut header = OsString::new();
        let mut date = calendar::now();
        if let [source] = sources.as_slice()
            && !self.settings.merge
            && source.name != "-"
        {
            header.clone_from(&source.name);
            date = sys::stat(source.name.as_ref(), true).map_or(date, |stat| stat.mtime);
        }
        let header = self.settings.header.clone().unwrap_or(header);
        let date = time::format(date, &self.settings.date);
        let names: Vec<OsString> = sources.iter().map(|s| s.name.clone()).collect();
        let readers = sources.into_iter().map(|s| s.reader).collect();
        let Some(mut layout) = Layout::new(&self.settings, readers, columns) else {
            self.complain("page width too narrow".into());
            return false;
        };
        self.out.shape(&self.settings, columns);
        match self.pages(&mut layout, header.as_encoded_bytes(), &date) {
            Ok(pages) => {
                if self.settings.first > pages {
                    let first = self.settings.first;
                    let _ = self.out.flush();
                    text::complain("pr", format!("starting page number {first} exceeds page count {pages}"));
                }
                true
            }
            Err(Stopped { file, error }) => {
                let name = names.get(file).cloned().unwrap_or_default();
                self.complain(format!("{}: {}", text::quote_if_needed(name), text::reason(&error)));
                false
            }
        }
    }

    /// Returns the number of pages.
    fn pages(&mut self, layout: &mut Layout, header: &[u8], date: &str) -> Result<u64, Stopped> {
        let mut number = 0;
        while self.settings.last.is_none_or(|last| number < last) {
            number += 1;
            let page = layout.next(number == self.settings.first)?;
            let empty = page.rows.is_empty() && !page.broken;
            if number >= self.settings.first && !empty {
                self.out.page(&page, number, header, date);
            }
            if page.last || empty {
                break;
            }
        }
        Ok(number)
    }
}
