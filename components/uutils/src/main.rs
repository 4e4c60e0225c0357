//! `uutils`: the POSIX tools of uutils, and the rarest of ours, in one component. The name by which it is called chooses
//! the tool. The component is separate from `coreutils` because the option parser and the messages of uutils are more code
//! than all tools of `coreutils`, and the first command on a machine compiles all of `coreutils`.

#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
mod formats;
#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
mod guards;
#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
mod lines;
#[cfg_attr(not(feature = "uutils"), allow(dead_code))]
mod values;

use std::ffi::OsString;
use wisp_coreutils::{RARE, grep, operands, sys, text};
use wisp_tool::options;

macro_rules! uutils {
    ($($name:literal => $krate:ident,)*) => {
        /// Their names.
        const UUTILS: &[&str] = &[$($name),*];

        /// Runs a tool of uutils; `None` if there is none of this name.
        #[cfg(feature = "uutils")]
        fn uutils(name: &str, args: Vec<OsString>) -> Option<i32> {
            match name {
                $($name => Some($krate::uumain(args.into_iter())),)*
                _ => None,
            }
        }
    };
}

uutils! {
    "b2sum" => uu_b2sum,
    "base32" => uu_base32,
    "base64" => uu_base64,
    "basenc" => uu_basenc,
    "cksum" => uu_cksum,
    "comm" => uu_comm,
    "csplit" => uu_csplit,
    "dircolors" => uu_dircolors,
    "expr" => uu_expr,
    "factor" => uu_factor,
    "fold" => uu_fold,
    "join" => uu_join,
    "link" => uu_link,
    "md5sum" => uu_md5sum,
    "nproc" => uu_nproc,
    "numfmt" => uu_numfmt,
    "od" => uu_od,
    "paste" => uu_paste,
    "pathchk" => uu_pathchk,
    "printenv" => uu_printenv,
    "printf" => uu_printf,
    "ptx" => uu_ptx,
    "pwd" => uu_pwd,
    "rmdir" => uu_rmdir,
    "sha1sum" => uu_sha1sum,
    "sha224sum" => uu_sha224sum,
    "sha256sum" => uu_sha256sum,
    "sha384sum" => uu_sha384sum,
    "sha512sum" => uu_sha512sum,
    "shred" => uu_shred,
    "shuf" => uu_shuf,
    "sum" => uu_sum,
    "truncate" => uu_truncate,
    "tsort" => uu_tsort,
    "unexpand" => uu_unexpand,
    "unlink" => uu_unlink,
    "yes" => uu_yes,
}

fn main() {
    wisp_coreutils::start();
    #[cfg(feature = "uutils")]
    if text::name(&sys::args()).trim_end_matches(".wasm") == "uutils" {
        uucore::set_utility_is_second_arg();
    }
    let args = wisp_coreutils::called("uutils", &names());
    let name = text::name(&args);
    if let Some((_, main)) = RARE.iter().find(|(own, _)| *own == name) {
        sys::exit(main(args));
    }
    if let Some(status) = run(&name, args) {
        sys::exit(status);
    }
    text::complain("uutils", format!("no tool {}: `uutils --list` prints the names of all tools", text::quote(name)));
    sys::exit(127)
}

/// Returns all names, sorted.
fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = UUTILS.iter().copied().chain(RARE.iter().map(|(name, _)| *name)).collect();
    names.sort_unstable();
    names
}

/// Runs a tool of uutils; `None` if there is none of this name.
#[cfg(feature = "uutils")]
fn run(name: &str, args: Vec<OsString>) -> Option<u8> {
    if !UUTILS.contains(&name) {
        return None;
    }
    let read = match lines::read(name, &args) {
        Some(Err(status)) => return Some(status),
        read => read.and_then(Result::ok),
    };
    if let Some(status) = guards::check(name, &args, read.as_ref()) {
        return Some(status);
    }
    let args = guards::mend(name, args);
    // Without this, uutils prints the keys of its messages.
    if let Err(error) = uucore::locale::setup_localization(name) {
        text::complain(name, format!("messages cannot be loaded: {error}"));
        return Some(99);
    }
    uutils(name, args).map(|code| (code & 0xff) as u8)
}

#[cfg(not(feature = "uutils"))]
fn run(_: &str, _: Vec<OsString>) -> Option<u8> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checked_in_list_is_the_table() {
        let listed: Vec<&str> = include_str!("../applets.txt").lines().collect();
        assert_eq!(listed, super::names(), "applets.txt must have these names, one a line: the build makes the links of /usr/bin from it");
    }
}
