//! `help` and `enable`.

use super::{TABLE, text};
use crate::shell::{Run, Shell};

pub(super) fn help(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let names: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
    match args.get(1) {
        None => {
            let mut out = String::from("wisp's shell: bash's language. These commands are built in:\n");
            for row in names.chunks(8) {
                out.push_str("  ");
                out.push_str(&row.join(" "));
                out.push('\n');
            }
            shell.print("help", out.as_bytes())
        }
        Some(name) => match names.iter().find(|known| known.as_bytes() == &name[..]) {
            Some(known) => shell.print("help", format!("{known}: a builtin; as bash's manual describes it.\n").as_bytes()),
            None => {
                shell.error(format!(
                    "help: no help topics match `{}'.  Try `help help' or `man -k {}' or `info {}'.",
                    text(name),
                    text(name),
                    text(name)
                ));
                Ok(1)
            }
        },
    }
}

pub(super) fn enable(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut status = 0;
    let mut out = String::new();
    if args.len() < 2 || args[1] == b"-p" || args[1] == b"-a" {
        for (name, _) in TABLE.iter().filter(|(name, _)| *name != "which") {
            out.push_str(&format!("enable {name}\n"));
        }
    }
    for arg in &args[1..] {
        if arg.starts_with(b"-") {
            if arg == b"-n" || arg == b"-f" || arg == b"-d" {
                shell.error(format!("enable: {}: builtins cannot be switched off here", text(arg)));
                return Ok(1);
            }
        } else if super::find(arg).is_none() {
            shell.error(format!("enable: {}: not a shell builtin", text(arg)));
            status = 1;
        }
    }
    shell.print("enable", out.as_bytes())?;
    Ok(status)
}
