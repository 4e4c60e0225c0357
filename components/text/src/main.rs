//! `text`: sed, awk, diff and similar tools in one component; the name it is called by chooses the tool.

#[macro_use]
mod print;

mod applets;
mod awk;
mod bc;
mod diff;
mod ed;
mod input;
mod patch;
mod sed;
mod sys;
mod text;
mod tools;

use wisp_regex as regex;
use wisp_tool::options;

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    sys::ignore_broken_pipe(false);
    let mut args = sys::args();
    if args.is_empty() {
        args.push("text".into());
    }
    let mut name = text::name(&args);
    if name == "text" || name == "text.wasm" {
        args.remove(0);
        name = text::name(&args);
        if matches!(name.as_str(), "" | "--help" | "-h" | "--list") {
            println!("Usage: text NAME [ARG]...\n  or:  NAME [ARG]..., where NAME is a link to text, one of:");
            for (name, _) in applets::ALL {
                println!("{name}");
            }
            sys::exit(u8::from(name.is_empty()));
        }
    }
    let status = match applets::ALL.iter().find(|(own, _)| *own == name) {
        Some((_, main)) => main(args),
        None => {
            text::complain("text", format!("no tool '{name}': `text --list` prints the names"));
            127
        }
    };
    sys::exit(status)
}
