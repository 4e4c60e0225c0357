//! Searches one input after the other and prints the matches.

use crate::args::{Args, Mode};
use crate::matcher::{self, Engine};
use grep_matcher::LineTerminator;
use grep_printer::{ColorSpecs, JSON, JSONBuilder, Standard, StandardBuilder, Stats, Summary, SummaryBuilder, SummaryKind};
use grep_searcher::{BinaryDetection, Encoding, Searcher, SearcherBuilder};
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Write};
use std::path::Path;
use std::time::Instant;
use termcolor::{Ansi, NoColor, WriteColor};

type Out = Box<dyn WriteColor>;

enum Printer {
    Lines(Standard<Out>),
    Summary(Summary<Out>),
    Json(JSON<Out>),
}

/// A search over many inputs.
pub(crate) struct Search {
    matcher: Engine,
    searcher: Searcher,
    printer: Printer,
    stats: Option<Stats>,
    began: Instant,
    /// Whether anything matched.
    pub found: bool,
    /// Whether an input could not be searched.
    pub failed: bool,
}

fn searcher(args: &Args) -> Result<Searcher, String> {
    let numbers = args.numbers.unwrap_or(args.column) || args.mode == Mode::Json;
    let end = match () {
        () if args.null_data => LineTerminator::byte(0),
        () if args.crlf => LineTerminator::crlf(),
        () => LineTerminator::byte(b'\n'),
    };
    let encoding = match args.encoding.as_deref() {
        None | Some("auto") => None,
        Some("none") => None,
        Some(label) => {
            let known = Encoding::new(label);
            Some(known.map_err(|_| format!("error parsing flag --encoding: grep config error: unknown encoding: {label}"))?)
        }
    };
    Ok(SearcherBuilder::new()
        .encoding(encoding)
        .bom_sniffing(args.encoding.as_deref() != Some("none"))
        .line_terminator(end)
        .stop_on_nonmatch(args.stop)
        .line_number(numbers)
        .invert_match(args.invert)
        .before_context(args.before)
        .after_context(args.after)
        .passthru(args.passthru)
        .multi_line(args.multiline)
        .max_matches(args.max_count)
        .build())
}

fn printer(args: &Args, out: Box<dyn Write>) -> Printer {
    let out: Out = if args.color { Box::new(Ansi::new(out)) } else { Box::new(NoColor::new(out)) };
    let several = args.paths.len() > 1 || args.paths.first().is_none_or(|p| Path::new(p).is_dir());
    let path = args.filename.unwrap_or(several);
    let terminator = args.null.then_some(0);
    let kind = match args.mode {
        _ if args.quiet => Some(SummaryKind::QuietWithMatch),
        Mode::Json => return Printer::Json(JSONBuilder::new().always_begin_end(false).build(out)),
        // Lines that do not match have no matches to count.
        Mode::CountMatches if !args.invert => Some(SummaryKind::CountMatches),
        Mode::Count | Mode::CountMatches if args.only_matching && !args.invert => Some(SummaryKind::CountMatches),
        Mode::Count | Mode::CountMatches => Some(SummaryKind::Count),
        Mode::With => Some(SummaryKind::PathWithMatch),
        Mode::Without => Some(SummaryKind::PathWithoutMatch),
        _ => None,
    };
    // ripgrep's own, which the crate knows for Unix and Windows only.
    let usual = ["path:fg:magenta", "line:fg:green", "match:fg:red", "match:style:bold"];
    let colors = usual.into_iter().chain(args.colors.iter().map(String::as_str)).filter_map(|c| c.parse().ok());
    let colors = ColorSpecs::new(&colors.collect::<Vec<_>>());
    if let Some(kind) = kind {
        let mut builder = SummaryBuilder::new();
        builder
            .kind(kind)
            .path(path)
            .exclude_zero(!args.include_zero)
            .stats(args.stats)
            .color_specs(colors)
            .path_terminator(terminator)
            .separator_path(args.path_separator);
        return Printer::Summary(builder.build(out));
    }
    let separator = args.separator.clone().unwrap_or_else(|| b"--".to_vec());
    let context = args.before > 0 || args.after > 0;
    let between = if args.heading {
        Some(Vec::new())
    } else if context && !separator.is_empty() {
        Some(separator.clone())
    } else {
        None
    };
    let mut builder = StandardBuilder::new();
    builder
        .heading(args.heading)
        .path(path)
        .only_matching(args.only_matching)
        .per_match(args.vimgrep)
        .per_match_one_line(true)
        .replacement(args.replace.as_ref().map(|r| r.as_bytes().to_vec()))
        .max_columns(args.max_columns)
        .max_columns_preview(args.preview)
        .separator_path(args.path_separator)
        .column(args.column)
        .byte_offset(args.offset)
        .trim_ascii(args.trim)
        .stats(args.stats)
        .separator_search(between)
        .separator_context(if separator.is_empty() { None } else { Some(separator) })
        .path_terminator(terminator)
        .color_specs(colors);
    if let Some(text) = &args.field_match {
        builder.separator_field_match(text.clone());
    }
    if let Some(text) = &args.field_context {
        builder.separator_field_context(text.clone());
    }
    Printer::Lines(builder.build(out))
}

impl Search {
    /// Prepares a search.
    pub(crate) fn new(args: &Args, out: Box<dyn Write>) -> Result<Self, String> {
        Ok(Self {
            matcher: matcher::build(args)?,
            searcher: searcher(args)?,
            printer: printer(args, out),
            stats: (args.stats || args.mode == Mode::Json).then(Stats::new),
            began: Instant::now(),
            found: false,
            failed: false,
        })
    }

    /// Searches standard input if it has any data. An empty one usually means that nothing is connected; the current
    /// folder is searched instead.
    pub(crate) fn standard_input(&mut self, args: &Args) -> Result<bool, String> {
        let mut start = [0; 4096];
        let mut stdin = std::io::stdin().lock();
        // Input that cannot be read counts as empty.
        let count = stdin.read(&mut start).unwrap_or(0);
        if count == 0 {
            return Ok(false);
        }
        self.searcher.set_binary_detection(if args.text || args.null_data { BinaryDetection::none() } else { BinaryDetection::convert(0) });
        let input = std::io::Cursor::new(start[..count].to_vec()).chain(stdin);
        let result = self.reader(input, None);
        self.result(args, Path::new("<stdin>"), result);
        Ok(true)
    }

    /// Searches a file. Returns whether to continue with others.
    pub(crate) fn file(&mut self, args: &Args, path: &Path, explicit: bool) -> bool {
        // A file that was named is searched even if it is binary, and reported as such.
        let detection = match () {
            () if args.text || args.null_data => BinaryDetection::none(),
            () if explicit || args.binary => BinaryDetection::convert(0),
            () => BinaryDetection::quit(0),
        };
        self.searcher.set_binary_detection(detection);
        let result = if path == Path::new("-") {
            self.reader(std::io::stdin().lock(), Some(Path::new("<stdin>")))
        } else {
            File::open(path).and_then(|file| self.reader(file, Some(path)))
        };
        self.result(args, path, result)
    }

    fn reader(&mut self, input: impl Read, path: Option<&Path>) -> Result<bool, Error> {
        let (matcher, searcher) = (&self.matcher, &mut self.searcher);
        let name = path.unwrap_or(Path::new("<stdin>"));
        let stats = &mut self.stats;
        let mut add = |more: Option<&Stats>| {
            if let (Some(stats), Some(more)) = (stats.as_mut(), more) {
                *stats += more;
            }
        };
        match &mut self.printer {
            Printer::Lines(printer) => match path {
                Some(path) => {
                    let mut sink = printer.sink_with_path(matcher, path);
                    searcher.search_reader(matcher, input, &mut sink)?;
                    add(sink.stats());
                    Ok(sink.has_match())
                }
                None => {
                    let mut sink = printer.sink(matcher);
                    searcher.search_reader(matcher, input, &mut sink)?;
                    add(sink.stats());
                    Ok(sink.has_match())
                }
            },
            Printer::Summary(printer) => {
                let mut sink = printer.sink_with_path(matcher, name);
                searcher.search_reader(matcher, input, &mut sink)?;
                add(sink.stats());
                Ok(sink.has_match())
            }
            Printer::Json(printer) => {
                let mut sink = printer.sink_with_path(matcher, name);
                searcher.search_reader(matcher, input, &mut sink)?;
                add(Some(sink.stats()));
                Ok(sink.has_match())
            }
        }
    }

    fn result(&mut self, args: &Args, path: &Path, result: Result<bool, Error>) -> bool {
        match result {
            Ok(found) => {
                self.found |= found;
                !(args.quiet && self.found && !args.stats)
            }
            Err(error) if error.kind() == ErrorKind::BrokenPipe => false,
            Err(error) => {
                self.failed = true;
                if !args.no_messages {
                    eprintln!("rg: {}: {error}", path.display());
                }
                true
            }
        }
    }

    /// Prints the remaining output and the statistics.
    pub(crate) fn finish(&mut self, args: &Args) -> Result<(), String> {
        let out: &mut dyn Write = match &mut self.printer {
            Printer::Lines(printer) => printer.get_mut(),
            Printer::Summary(printer) => printer.get_mut(),
            Printer::Json(printer) => printer.get_mut(),
        };
        if let (Some(stats), true) = (&self.stats, args.mode == Mode::Json) {
            let time = |t: std::time::Duration| {
                format!("{{\"human\":\"{:.6}s\",\"nanos\":{},\"secs\":{}}}", t.as_secs_f64(), t.subsec_nanos(), t.as_secs())
            };
            let text = format!(
                "{{\"data\":{{\"elapsed_total\":{},\"stats\":{{\"bytes_printed\":{},\"bytes_searched\":{},\"elapsed\":{},\"matched_lines\":{},\"matches\":{},\"searches\":{},\"searches_with_match\":{}}}}},\"type\":\"summary\"}}\n",
                time(self.began.elapsed()),
                stats.bytes_printed(),
                stats.bytes_searched(),
                time(stats.elapsed()),
                stats.matched_lines(),
                stats.matches(),
                stats.searches(),
                stats.searches_with_match()
            );
            // A reader that is gone needs no summary.
            let _ = out.write_all(text.as_bytes());
        } else if let Some(stats) = &self.stats {
            let text = format!(
                "\n{} matches\n{} matched lines\n{} files contained matches\n{} files searched\n{} bytes printed\n{} bytes searched\n{:.6} seconds spent searching\n{:.6} seconds\n",
                stats.matches(),
                stats.matched_lines(),
                stats.searches_with_match(),
                stats.searches(),
                stats.bytes_printed(),
                stats.bytes_searched(),
                stats.elapsed().as_secs_f64(),
                self.began.elapsed().as_secs_f64()
            );
            // A reader that is gone needs no statistics.
            let _ = out.write_all(text.as_bytes());
        }
        match out.flush() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
            _ => Ok(()),
        }
    }
}
