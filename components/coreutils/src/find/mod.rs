//! `find`.

mod emacs;
pub(crate) use emacs::emacs;
mod evaluate;
mod exec;
mod expression;
mod parse;
mod printf;
mod values;

use crate::text;
use std::ffi::OsString;

const HELP: &str = "Usage: find [-H] [-L] [-P] [PATH]... [EXPRESSION]
Walk each PATH (the current directory by default) and evaluate EXPRESSION (-print by default) on every file.

Operators, by precedence: ( EXPR )  ! EXPR  EXPR [-a] EXPR  EXPR -o EXPR  EXPR , EXPR
Options: -depth -maxdepth N -mindepth N -xdev -daystart -follow -regextype TYPE
Tests (N may be +N or -N): -name PATTERN -iname -path -ipath -lname -ilname -regex PATTERN -iregex
  -type [fdlcps] -xtype -size N[cwbkMG] -empty -mtime N -mmin N -atime -amin -ctime -cmin
  -newer FILE -anewer -cnewer -newerXY REFERENCE -perm [-/]MODE -user NAME -group NAME -uid N -gid N
  -nouser -nogroup -links N -inum N -samefile FILE -readable -writable -executable -fstype TYPE -true -false
Actions: -print -print0 -printf FORMAT -fprint FILE -fprint0 FILE -fprintf FILE FORMAT -ls -fls FILE -delete
  -prune -quit -exec COMMAND ; -exec COMMAND {} + -execdir -ok -okdir
";

/// Runs `find`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    match args.get(1).and_then(|a| a.to_str()) {
        Some("--help" | "-help") => {
            print!("{HELP}");
            return 0;
        }
        Some("--version" | "-version") => {
            println!("find (wisp coreutils) {}", env!("CARGO_PKG_VERSION"));
            return 0;
        }
        _ => {}
    }
    match parse::parse(args.into_iter().skip(1).collect()) {
        Ok(plan) => {
            let mut run = evaluate::Run::new(plan, std::io::BufWriter::with_capacity(64 * 1024, std::io::stdout()));
            run.all();
            u8::from(run.failed)
        }
        Err(message) => {
            text::complain("find", message);
            1
        }
    }
}
