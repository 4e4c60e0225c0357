//! `images`: pictures from one format to another, chosen by the name it is called by: `djpeg` and `cjpeg`.

mod command;
mod cut;
mod decode;
mod encode;
mod header;
mod options;
mod picture;
mod pnm;
mod tables;

use wisp_tool::{sys, text};

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    let mut args = sys::args();
    let mut name = text::name(&args);
    if name == "images" || name == "images.wasm" {
        args.remove(0);
        name = text::name(&args);
        if args.is_empty() || name == "--help" {
            println!("Usage: images NAME [ARG]...\n  or:  NAME [ARG]..., where NAME is a link to images: djpeg, cjpeg");
            sys::exit(u8::from(args.is_empty()));
        }
    }
    let status = match name.as_str() {
        "djpeg" => decode::main(&args),
        "cjpeg" => encode::main(&args),
        other => {
            text::complain("images", format!("no tool '{other}': there are djpeg and cjpeg"));
            127
        }
    };
    sys::exit(status)
}
