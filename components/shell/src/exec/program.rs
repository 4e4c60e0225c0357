//! Programs: finding them on `PATH`, starting them, waiting for them.

use crate::fds::{Capture, Fd, OpenFile};
use crate::shell::{Run, Shell};
use crate::sym;
use crate::sys::{self, Child, Errno, Kind, Spawn};
use crate::vars::Attrs;
use std::rc::Rc;

/// Why a program cannot be started: a message and the status.
pub(crate) type Refusal = (Vec<u8>, i32);

impl Shell {
    /// Finds the path a command's name stands for.
    pub(crate) fn find_program(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        if name.contains(&b'/') {
            return Some(name.to_vec());
        }
        if let Some(path) = self.programs.at_path.take() {
            return Some(path);
        }
        if self.get(sym::PATH).is_none_or(|path| path.is_empty()) {
            // Without `PATH`, a name is the name of a file in the working directory.
            return Some(name.to_vec());
        }
        if self.vars.path_changed {
            self.vars.path_changed = false;
            self.programs.hash = Rc::default();
        }
        if let Some((path, _)) = self.programs.hash.get(name) {
            let path = path.clone();
            if let Some(entry) = Rc::make_mut(&mut self.programs.hash).get_mut(name) {
                entry.1 += 1;
            }
            return Some(path);
        }
        let Some(found) = self.search_path(name).into_iter().next() else { return self.search_unusable(name) };
        Rc::make_mut(&mut self.programs.hash).insert(name.to_vec(), (found.clone(), 1));
        Some(found)
    }

    /// Returns every executable on `PATH` with this name.
    pub(crate) fn search_path(&mut self, name: &[u8]) -> Vec<Vec<u8>> {
        let path = self.get(sym::PATH).unwrap_or_default();
        self.search_in(&path, name)
    }

    /// Returns a file on `PATH` that has the name and cannot be run, for the error message.
    fn search_unusable(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let places = self.on_path(name);
        places.into_iter().find(|place| sys::stat(&self.absolute(place), true).is_ok_and(|stat| stat.kind == Kind::Regular))
    }

    /// Returns the paths at which a program of this name can be.
    fn on_path(&mut self, name: &[u8]) -> Vec<Vec<u8>> {
        let path = self.get(sym::PATH).filter(|_| !name.is_empty()).unwrap_or_default();
        path.split(|b| *b == b':').map(|dir| [if dir.is_empty() { b"." } else { dir }, b"/", name].concat()).collect()
    }

    /// Asks for a program that was not found, in each place, like execvp(3): a program that the policy refuses does not
    /// exist, and only a host that is asked for it can record a receipt.
    fn start_unfound(&mut self, args: &[Vec<u8>]) -> Option<Child> {
        let places = self.on_path(&args[0]);
        places.into_iter().find_map(|path| {
            let env = self.child_environment(&path);
            self.spawn(&path, args, env).ok()
        })
    }

    /// Works like `search_path`, in the given directories.
    pub(crate) fn search_in(&mut self, path: &[u8], name: &[u8]) -> Vec<Vec<u8>> {
        if name.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for dir in path.split(|b| *b == b':') {
            let candidate = match dir {
                b"" => [b"./", name].concat(),
                dir if dir.ends_with(b"/") => [dir, name].concat(),
                dir => [dir, b"/", name].concat(),
            };
            let absolute = self.absolute(&candidate);
            if sys::stat(&absolute, true).is_ok_and(|stat| stat.kind == Kind::Regular) && sys::access(&absolute, 1) {
                found.push(candidate);
            }
        }
        found
    }

    /// Runs a program in the foreground.
    pub(crate) fn run_program(&mut self, args: Vec<Vec<u8>>) -> Run {
        if self.programs.at_path.is_none()
            && self.definitions.functions.contains_key(&b"command_not_found_handle"[..])
            && self.find_program(&args[0]).is_none()
        {
            let mut all = vec![b"command_not_found_handle".to_vec()];
            all.extend(args);
            if let Some(function) = self.definitions.functions.get(&b"command_not_found_handle"[..]).cloned() {
                return self.call(&function, all);
            }
            return Ok(127);
        }
        let saved = self.fds.clone();
        let pump = self.pump_begin();
        let started = self.start_program(&args);
        self.fds = saved;
        match started {
            Err((message, status)) => {
                self.error(message);
                Ok(status)
            }
            Ok(child) => {
                if let Some((capture, read)) = pump {
                    self.pump_end(&capture, &read)?;
                }
                let status = self.wait_child(&child)?;
                self.signals.died = child.signal().map(|signal| (child.pid(), signal));
                if self.signals.died.is_some() {
                    self.reclaim_terminal();
                }
                self.keep_halted(child);
                self.check_window();
                Ok(status)
            }
        }
    }

    /// Runs the program at `path` under the name with which it was called.
    pub(crate) fn run_program_at(&mut self, path: Vec<u8>, args: Vec<Vec<u8>>) -> Run {
        self.programs.at_path = Some(path);
        let result = self.run_program(args);
        self.programs.at_path = None;
        result
    }

    /// Keeps a stopped program under job control.
    pub(super) fn keep_halted(&mut self, child: Child) {
        if self.has_job_control() && self.is_process() && child.stopped().is_some() {
            self.programs.halted.push(Rc::new(child));
        }
    }

    /// Replaces a standard output that is a capture still in memory by a pipe, and returns the end to read
    /// from.
    pub(crate) fn pump_begin(&mut self) -> Option<(Rc<Capture>, OpenEnd)> {
        let Some(Fd::Capture(capture)) = self.fd(1) else { return None };
        if capture.is_file() {
            return None;
        }
        let (read, write) = sys::pipe().ok()?;
        let write = OpenFile::new(write);
        let numbers: Vec<u32> = self
            .fds
            .iter()
            .filter(|(_, fd)| matches!(fd, Fd::Capture(other) if Rc::ptr_eq(other, &capture)))
            .map(|(number, _)| *number)
            .collect();
        for number in numbers {
            // The number is in the table already.
            let _ = self.fds.set(number, Fd::File(write.clone()));
        }
        Some((capture, OpenEnd(OpenFile::new(read))))
    }

    /// Starts a program with the current descriptors, environment and directory.
    pub(crate) fn start_program(&mut self, args: &[Vec<u8>]) -> Result<Child, Refusal> {
        let name = &args[0];
        if self.opts.restricted() && name.contains(&b'/') {
            return Err(([name, &b": restricted: cannot specify `/' in command names"[..]].concat(), 1));
        }
        let text = |message: &str| [&crate::quote::shown(name)[..], b": ", message.as_bytes()].concat();
        let Some(path) = self.find_program(name) else {
            if let Some(child) = self.start_unfound(args) {
                return Ok(child);
            }
            let hint = wisp_tool::elsewhere::instead(name).map(|hint| format!("\n(here: {hint})")).unwrap_or_default();
            return Err((text(&format!("command not found{hint}")), 127));
        };
        let absolute = self.absolute(&path);
        if !path.contains(&b'/') && name.is_empty() {
            return Err((text("command not found"), 127));
        }
        let env = self.child_environment(&path);
        // As it was found: a script sees this path as `$0`.
        match self.spawn(&path, args, env) {
            Ok(child) => Ok(child),
            Err(Errno::NotExecutable) => self.start_script(&path, &absolute, args).map_err(|error| refusal(&path, error)),
            Err(error) => {
                Rc::make_mut(&mut self.programs.hash).remove(name);
                Err(self.explain(&path, &absolute, error))
            }
        }
    }

    /// Returns the environment of a child.
    pub(crate) fn child_environment(&mut self, path: &[u8]) -> Vec<Vec<u8>> {
        let mut env = self.vars.environment();
        env.retain(|entry| !entry.starts_with(b"_="));
        env.push([b"_=", path].concat());
        for variable in [sym::SHELLOPTS, sym::BASHOPTS] {
            if self.vars.get(variable).is_some_and(|var| var.attrs.has(Attrs::EXPORT))
                && let Some(value) = self.get(variable)
            {
                env.push([&variable.name(), &b"="[..], &value].concat());
            }
        }
        for name in self.definitions.exported.iter() {
            if let Some(function) = self.definitions.functions.get(name) {
                let text = crate::print::function_body_text(function);
                env.push([b"BASH_FUNC_", &name[..], b"%%=() ", &text].concat());
            }
        }
        if self.place.tail.lowers {
            self.lower_level(&mut env);
        }
        env
    }

    pub(crate) fn explain(&mut self, path: &[u8], absolute: &[u8], error: Errno) -> Refusal {
        let stat = sys::stat(absolute, true);
        if stat.as_ref().is_ok_and(|stat| stat.kind == Kind::Directory) {
            return refusal(path, Errno::IsDirectory);
        }
        if error == Errno::NoEntry && stat.is_ok() {
            // The file is there, so its interpreter is not.
            return ([path, b": cannot execute: required file not found"].concat(), 127);
        }
        refusal(path, error)
    }

    /// Returns the arguments of the shell that runs a file which the platform cannot run: it may be a script without `#!`.
    fn script_arguments(&self, path: &[u8], absolute: &[u8], args: &[Vec<u8>]) -> sys::Result<Vec<Vec<u8>>> {
        let how = sys::OpenHow { read: true, ..Default::default() };
        let head = sys::open(absolute, how, 0)?.read(256)?;
        if head.starts_with(b"\x7fELF") || head.split(|b| *b == b'\n').next().unwrap_or_default().contains(&0) {
            return Err(Errno::NotExecutable);
        }
        let mut all = vec![self.invocation.arg0.to_vec(), path.to_vec()];
        all.extend(args.iter().skip(1).cloned());
        Ok(all)
    }

    fn start_script(&mut self, path: &[u8], absolute: &[u8], args: &[Vec<u8>]) -> sys::Result<Child> {
        let all = self.script_arguments(path, absolute, args)?;
        let env = self.child_environment(path);
        self.spawn(&sys::shell_program(), &all, env)
    }

    /// Replaces this process by the shell that runs a script without `#!`; returns the reason if that failed.
    pub(crate) fn become_script(&mut self, path: &[u8], absolute: &[u8], args: &[Vec<u8>]) -> Result<std::convert::Infallible, Refusal> {
        let all = self.script_arguments(path, absolute, args).map_err(|error| refusal(path, error))?;
        let env = self.child_environment(path);
        let error = self.become_program(&sys::shell_program(), &all, env);
        Err(refusal(path, error))
    }

    /// Asks the platform for a process with the current descriptors.
    pub(crate) fn spawn(&mut self, program: &[u8], args: &[Vec<u8>], env: Vec<Vec<u8>>) -> sys::Result<Child> {
        self.jobs.reap();
        self.with_spawn(program, args, env, sys::spawn)?
    }

    /// Replaces this process by a program, with the current descriptors; returns the reason if that failed.
    pub(crate) fn become_program(&mut self, program: &[u8], args: &[Vec<u8>], env: Vec<Vec<u8>>) -> Errno {
        self.fds.sync();
        let error = self.with_spawn(program, args, env, sys::exec).unwrap_or_else(|error| error);
        self.signals.arrived.tell(self.signals.told_ignored);
        error
    }

    fn with_spawn<T>(&mut self, program: &[u8], args: &[Vec<u8>], env: Vec<Vec<u8>>, then: impl FnOnce(Spawn<'_>) -> T) -> sys::Result<T> {
        let mut files: Vec<(u32, Rc<OpenFile>)> = Vec::new();
        for (number, fd) in self.fds.iter() {
            files.push((*number, fd.file()?));
        }
        let cwd = self.process.cwd.clone();
        Ok(then(Spawn {
            program,
            args,
            env,
            cwd: &cwd,
            fds: files.iter().map(|(number, file)| (*number, file.handle())).collect(),
            umask: self.process.umask,
            ignored: self.ignored() | if self.programs.in_background { self.signals.async_ignored } else { 0 },
            group: self.programs.group,
            limits: self.process.limits,
        }))
    }

    /// Reads a pipe to its end into a capture.
    pub(crate) fn pump_end(&mut self, capture: &Capture, end: &OpenEnd) -> Run<()> {
        loop {
            while self.signals.arrived.listens() && !end.0.readable_or_signal() {
                self.wait_on()?;
            }
            match end.0.handle().read(1 << 16) {
                Ok(block) if !block.is_empty() && capture.write(&block).is_ok() => {}
                _ => return Ok(()),
            }
        }
    }
}

/// The reading end of a pipe into a capture.
pub(crate) struct OpenEnd(pub Rc<OpenFile>);

fn refusal(path: &[u8], error: Errno) -> Refusal {
    let status = if error == Errno::NoEntry { 127 } else { 126 };
    let message = match error {
        Errno::NotExecutable => "cannot execute binary file: Exec format error",
        other => other.message(),
    };
    ([path, b": ", message.as_bytes()].concat(), status)
}
