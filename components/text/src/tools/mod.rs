//! The smaller tools.

pub mod cal;
pub mod column;
pub mod compressed;
pub mod convert;
pub mod envsubst;
pub mod file;
pub mod getopt;
pub mod hexdump;
mod hexdump_format;
pub mod iconv;
mod json;
mod magic;
mod magic_elf;
mod magic_text;
pub mod pager;
pub mod rev;
pub mod strings;
pub mod tput;
pub mod tree;
mod tree_ignore;
mod tree_list;
mod tree_output;
pub mod xxd;
mod xxd_reverse;

/// Whether a text is JSON.
fn file_json(text: &[u8]) -> bool {
    let mut at = 0;
    json::value(text, &mut at, 0) && text[at..].iter().all(u8::is_ascii_whitespace)
}
