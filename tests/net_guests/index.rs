//! A package index: its pages, and wheels made when they are asked for.

use sha2::{Digest, Sha256};
use wisp_tests::wheel::{wheel, wheel_with_command};

/// What the index has at `path`, below `/simple/`.
pub(crate) fn at(path: &str) -> Option<Vec<u8>> {
    let page = |links: &[(&str, &str)]| {
        let links: String = links.iter().map(|(name, href)| format!("<a href=\"{href}\">{name}</a><br>\n")).collect();
        Some(format!("<!DOCTYPE html><html><body>\n{links}</body></html>\n").into_bytes())
    };
    let linked = |name: &str, requires: &[&str]| format!("{name}#sha256={:x}", Sha256::digest(wheel(name, "", requires)));
    match path {
        "hello-wisp/" => page(&[(HELLO, &linked(HELLO, &["other-wisp"]))]),
        "other-wisp/" => page(&[(OTHER, &linked(OTHER, &[]))]),
        "damaged-wisp/" => page(&[(DAMAGED, &format!("{DAMAGED}#sha256={}", "0".repeat(64)))]),
        "far-wisp/" => page(&[(FAR, &format!("http://denied.test/{FAR}"))]),
        "tool-wisp/" => page(&[(TOOL, TOOL)]),
        "numpy/" => page(&[(NATIVE, NATIVE)]),
        _ => match path.split_once('/')? {
            ("hello-wisp", HELLO) => Some(wheel(HELLO, "", &["other-wisp"])),
            ("other-wisp", OTHER) => Some(wheel(OTHER, "", &[])),
            ("tool-wisp", TOOL) => Some(wheel_with_command(TOOL, "tool-wisp")),
            ("damaged-wisp", DAMAGED) => Some(wheel(DAMAGED, "", &[])),
            _ => None,
        },
    }
}

const HELLO: &str = "hello_wisp-1.0-py3-none-any.whl";
const OTHER: &str = "other_wisp-2.1-py3-none-any.whl";
const DAMAGED: &str = "damaged_wisp-1.0-py3-none-any.whl";
const TOOL: &str = "tool_wisp-1.0-py3-none-any.whl";
const FAR: &str = "far_wisp-1.0-py3-none-any.whl";
const NATIVE: &str = "numpy-2.3.0-cp314-cp314-manylinux_2_28_x86_64.whl";
