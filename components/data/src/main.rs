//! `data`: jq and yq in one component, chosen by the name it is called by.

mod cli;
mod json;
mod lang;
mod run;
mod sys;
mod yq;

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    let mut args = sys::args();
    let mut name = sys::tool_name(&args);
    if name == "data" || name == "data.wasm" {
        args.remove(0);
        name = sys::tool_name(&args);
        if args.is_empty() || name == "--help" {
            println!("Usage: data NAME [ARG]...\n  or:  NAME [ARG]..., where NAME is a link to data: jq, yq");
            sys::exit(u8::from(args.is_empty()));
        }
    }
    let status = match name.as_str() {
        "jq" => cli::jq(args),
        "yq" => yq::main(args),
        other => {
            eprintln!("data: no tool '{other}': there are jq and yq");
            127
        }
    };
    sys::exit(status)
}
