//! `curl` and `wget` in one component, chosen by the name it is called by.

mod curl;
mod http;
mod options;
mod url;
mod wget;

use wisp_tool::{sys, text};

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    let mut args = sys::args();
    let mut name = text::name(&args);
    if args.get(1).is_some_and(|first| first == "wget") && name.starts_with("curl-native") {
        args.remove(0);
        name = text::name(&args);
    }
    // Bytes that are not UTF-8 are replaced: neither URLs nor options contain any.
    let args: Vec<String> = args.iter().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    sys::exit(if name.starts_with("wget") { wget::main(&args) } else { curl::main(&args) })
}
