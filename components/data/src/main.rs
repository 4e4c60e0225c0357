//! `data`: jq, yq and host in one component, chosen by the name it is called by.

mod cli;
mod host;
mod json;
mod lang;
mod run;
mod sys;
mod yq;

#[cfg(target_family = "wasm")]
fn main() {
    wisp_guest::start();
    tool();
}

/// Runs the command; natively (for tests) on a stack of the size that wisp gives a process.
#[cfg(not(target_family = "wasm"))]
fn main() {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(tool);
    if let Ok(thread) = thread {
        // It ends the process itself.
        let _ = thread.join();
    }
}

fn tool() {
    let mut args = sys::args();
    let mut name = wisp_tool::text::name(&args);
    if name == "data" || name == "data.wasm" {
        args.remove(0);
        name = wisp_tool::text::name(&args);
        if args.is_empty() || name == "--help" {
            println!("Usage: data NAME [ARG]...\n  or:  NAME [ARG]..., where NAME is a link to data: jq, yq, host");
            sys::exit(u8::from(args.is_empty()));
        }
    }
    let status = match name.as_str() {
        "jq" => cli::jq(args),
        "yq" => yq::main(args),
        "host" => host::main(args),
        other => {
            eprintln!("data: no tool '{other}': there are jq, yq and host");
            127
        }
    };
    sys::exit(status)
}
