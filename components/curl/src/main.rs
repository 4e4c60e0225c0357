//! `curl` and `wget` in one component, chosen by the name it is called by.

mod curl;
mod http;
mod sys;
mod url;
mod wget;

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    let mut args = sys::args();
    let mut name = sys::tool_name(&args);
    if args.get(1).is_some_and(|first| first == "wget") && name.starts_with("curl-native") {
        args.remove(0);
        name = sys::tool_name(&args);
    }
    let status = if name.starts_with("wget") { wget::main(&args[1..]) } else { curl::main(args.get(1..).unwrap_or_default()) };
    sys::exit(status)
}
