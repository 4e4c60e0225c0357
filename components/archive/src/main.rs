//! `archive`: tar, zip and the compressors in one component, chosen by the name it is called by.

#[macro_use]
mod print;

mod codec;
mod filter;
mod sys;
mod tar;
mod text;
mod zip;

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    let mut args = sys::args();
    let mut name = wisp_tool::text::name(&args);
    if name == "archive" || name == "archive.wasm" {
        args.remove(0);
        name = wisp_tool::text::name(&args);
        if args.is_empty() || name == "--help" {
            println!(
                "Usage: archive NAME [ARG]...\n  or:  NAME [ARG]..., where NAME is a link to archive: tar, zip, unzip, gzip, bzip2, xz, zstd, ..."
            );
            sys::exit(u8::from(args.is_empty()));
        }
    }
    let status = match name.as_str() {
        "tar" => tar::main(args),
        "zip" => zip::create::main(args),
        "unzip" => zip::extract::main(args),
        "zipinfo" => {
            args.insert(1.min(args.len()), "-Z".into());
            zip::extract::main(args)
        }
        other => match filter::main(other, args) {
            Some(status) => status,
            None => {
                eprintln!("archive: no tool '{name}': there are tar, zip, unzip, gzip, bzip2, xz and zstd");
                127
            }
        },
    };
    sys::exit(status)
}
