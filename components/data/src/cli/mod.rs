//! `jq` on the command line.

mod inputs;
mod options;

use crate::json::{Colors, Style, Val, print, to_text};
use crate::lang::{Library, Program, compile};
use crate::run::{Context, Error, Inputs, Machine};
use crate::sys;
use inputs::{Reader, Source};
use options::{Options, parse};
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How one input ended.
enum Ended {
    /// With these outputs: none, the last one false or null, any other.
    Nothing,
    False,
    True,
    /// With an error.
    Failed,
    /// By `halt`.
    Halted(i32),
}

/// What a reader has counted, for messages while a program runs.
#[derive(Clone)]
struct Shared(Rc<RefCell<Reader>>);

impl Inputs for Shared {
    fn next(&mut self) -> Option<Result<Val, String>> {
        self.0.borrow_mut().next()
    }
    fn file(&self) -> Val {
        self.0.borrow().file()
    }
    fn line(&self) -> usize {
        self.0.borrow().line()
    }
}

/// Runs `jq`.
pub(crate) fn jq(args: Vec<OsString>) -> u8 {
    let names: Vec<String> = args.iter().map(|arg| sys::shown(arg.as_encoded_bytes())).collect();
    let args: Vec<String> = args.into_iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let mut options = match parse(&args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    if names != args {
        // Files have names of bytes; programs and values are text.
        options.files = match parse(&names) {
            Ok(options) => options.files,
            Err(status) => return status,
        };
    }
    let library = Rc::new(library(&args[0], &options));
    let program = match load(&options, &library) {
        Ok(program) => program,
        Err((message, status)) => {
            eprintln!("{message}");
            return status;
        }
    };
    let source = Source { raw: options.raw_input, slurp: options.slurp, sequence: options.sequence, stream: options.stream };
    let reader = Shared(Rc::new(RefCell::new(Reader::new(options.files.clone(), source, options.stream_errors))));
    let style = style(&options);
    let context = Context::new(Box::new(reader.clone()), library, style.clone());
    let out = BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    let mut run = Run { machine: Machine::new(context), program, reader, style, options, out };
    run.all()
}

fn library(program: &str, options: &Options) -> Library {
    let usual = || ["~/.jq", "$ORIGIN/../lib/jq", "$ORIGIN/../lib"].map(str::to_owned).to_vec();
    let origin = match &options.program_file {
        Some(file) => Path::new(file).parent().map(Path::to_path_buf).unwrap_or_default(),
        None => PathBuf::from("."),
    };
    Library {
        paths: options.library.clone().unwrap_or_else(usual),
        origin,
        program: Path::new(program).parent().map(Path::to_path_buf).unwrap_or_default(),
    }
}

fn load(options: &Options, library: &Library) -> Result<Program, (String, u8)> {
    let text = match &options.program_file {
        None => options.program.clone(),
        Some(file) => {
            let bytes = std::fs::read(file).map_err(|e| (format!("jq: Could not open {file}: {}", sys::reason(&e)), 2))?;
            if bytes.contains(&0) {
                return Err(("jq: program file contains NUL bytes".into(), 2));
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    compile(&text, "<top-level>", &options.globals(), library).map_err(|message| (message, 3))
}

fn style(options: &Options) -> Style {
    let no_color = std::env::var("NO_COLOR").is_ok_and(|v| !v.is_empty());
    let color = options.color.unwrap_or_else(|| sys::is_terminal(1) && !no_color);
    let mut colors = Colors::default();
    if let Ok(wanted) = std::env::var("JQ_COLORS") {
        match Colors::parse(&wanted) {
            Some(parsed) => colors = parsed,
            None => eprintln!("Failed to set $JQ_COLORS"),
        }
    }
    Style { indent: options.indent.clone(), ascii: options.ascii, sorted: options.sorted, colors: color.then_some(colors) }
}

struct Run {
    machine: Machine,
    program: Program,
    reader: Shared,
    style: Style,
    options: Options,
    out: BufWriter<StdoutLock<'static>>,
}

impl Run {
    /// Runs over all inputs and returns the status.
    fn all(&mut self) -> u8 {
        let mut last = Ended::Nothing;
        let mut status = 0;
        if self.options.null_input {
            last = self.one(Val::Null);
            status = self.status(&last);
        } else {
            loop {
                let next = if self.reader.0.borrow().failed { None } else { self.reader.next() };
                match next {
                    None => break,
                    Some(Ok(val)) => {
                        let ended = self.one(val);
                        status = self.status(&ended);
                        match ended {
                            Ended::Nothing => {}
                            Ended::Halted(_) => {
                                last = ended;
                                break;
                            }
                            other => last = other,
                        }
                    }
                    Some(Err(message)) if self.options.sequence => eprintln!("jq: ignoring parse error: {message}"),
                    Some(Err(message)) => {
                        self.flush();
                        eprintln!("jq: parse error: {message}");
                        (status, last) = (5, Ended::Failed);
                        break;
                    }
                }
            }
        }
        if self.reader.0.borrow().failed {
            (status, last) = (2, Ended::Failed);
        }
        if let Err(error) = self.out.flush() {
            eprintln!("jq: error: writing output failed: {}", sys::reason(&error));
            return 2;
        }
        if self.options.exit_status && status == 0 {
            return match last {
                Ended::Nothing => 4,
                Ended::False => 1,
                _ => 0,
            };
        }
        status
    }

    fn status(&self, ended: &Ended) -> u8 {
        match ended {
            Ended::Failed => 5,
            Ended::Halted(code) => (*code & 0xff) as u8,
            _ => 0,
        }
    }

    fn flush(&mut self) {
        // A failure is reported at the end.
        let _ = self.out.flush();
    }

    /// Runs over one input.
    fn one(&mut self, input: Val) -> Ended {
        self.machine.start(self.program.main, input);
        let mut ended = Ended::Nothing;
        loop {
            match self.machine.next() {
                Ok(None) => return ended,
                Ok(Some(val)) => {
                    ended = if val.is_true() || (self.options.raw && matches!(val, Val::Str(_))) { Ended::True } else { Ended::False };
                    if let Err(message) = self.write(&val) {
                        self.complain(&Val::str(message));
                        return Ended::Failed;
                    }
                }
                Err(Error::Halt(code, message)) => {
                    self.flush();
                    match message {
                        None | Some(Val::Null) => {}
                        Some(Val::Str(text)) => drop(std::io::stderr().write_all(text.as_bytes())),
                        Some(other) => eprintln!("{}", to_text(&other)),
                    }
                    return Ended::Halted(code);
                }
                Err(Error::Break(_)) => {
                    self.complain(&Val::str("break"));
                    return Ended::Failed;
                }
                Err(Error::Value(val)) => {
                    self.complain(&val);
                    return Ended::Failed;
                }
            }
        }
    }

    fn complain(&mut self, val: &Val) {
        self.flush();
        let place = self.reader.0.borrow().position();
        match val {
            Val::Str(text) => eprintln!("jq: error (at {place}): {text}"),
            other => eprintln!("jq: error (at {place}) (not a string): {}", to_text(other)),
        }
    }

    fn write(&mut self, val: &Val) -> Result<(), String> {
        let options = &self.options;
        // A failure is kept by the writer and reported at the end.
        match val {
            Val::Str(text) if options.raw && !options.ascii => {
                if options.nul && text.contains('\0') {
                    return Err("Cannot dump a string containing NUL with --raw-output0 option".into());
                }
                let _ = self.out.write_all(text.as_bytes());
            }
            Val::Str(_) if options.raw => {
                let style = Style { ascii: true, ..Style::default() };
                let _ = self.out.write_all(print(val, &style).as_bytes());
            }
            other => {
                if options.sequence {
                    let _ = self.out.write_all(b"\x1e");
                }
                let _ = self.out.write_all(print(other, &self.style).as_bytes());
            }
        }
        if options.nul {
            let _ = self.out.write_all(b"\0");
        } else if !options.join {
            let _ = self.out.write_all(b"\n");
        }
        if options.unbuffered {
            self.flush();
        }
        Ok(())
    }
}
