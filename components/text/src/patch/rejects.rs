//! The hunks that did not fit, in the format of the reject file.

use super::parse::{Hunk, Line, Patch};

/// The hunks as a unified diff, or as a context diff if the patch was not unified.
pub(super) fn text(patch: &Patch, hunks: &[&Hunk], context: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let signs = if context { [b"*** ".as_slice(), b"--- "] } else { [b"--- ".as_slice(), b"+++ "] };
    for (n, sign) in signs.iter().enumerate() {
        out.extend(*sign);
        match patch.header.get(n) {
            Some(header) => out.extend_from_slice(&header[4..]),
            None => out.extend(b"/dev/null\n"),
        }
    }
    for hunk in hunks {
        if context { both_sides(hunk, &mut out) } else { unified(hunk, &mut out) }
    }
    out
}

fn unified(hunk: &Hunk, out: &mut Vec<u8>) {
    let range = |(start, count): (usize, usize)| if count == 1 { start.to_string() } else { format!("{start},{count}") };
    out.extend(format!("@@ -{} +{} @@{}\n", range(hunk.old), range(hunk.new), String::from_utf8_lossy(&hunk.note)).bytes());
    for (n, line) in hunk.lines.iter().enumerate() {
        out.push(line.mark);
        out.extend_from_slice(&line.text);
        // The last line needs no note.
        if line.text.last() != Some(&b'\n') && n + 1 < hunk.lines.len() {
            out.extend(b"\n\\ No newline at end of file\n");
        }
    }
}

fn both_sides(hunk: &Hunk, out: &mut Vec<u8>) {
    let range = |(start, count): (usize, usize)| if count < 2 { start.to_string() } else { format!("{start},{}", start + count - 1) };
    out.extend(b"***************\n");
    for (mark, head, bounds, tail) in [(b'-', "***", hunk.old, "****"), (b'+', "---", hunk.new, "----")] {
        out.extend(format!("{head} {} {tail}\n", range(bounds)).bytes());
        // Lines between two unchanged ones are changed if both sides have some.
        for group in hunk.lines.split_inclusive(|line| line.mark == b' ') {
            let changed = group.iter().any(|line| line.mark == b'-') && group.iter().any(|line| line.mark == b'+');
            for Line { mark: own, text } in group.iter().filter(|line| line.mark == b' ' || line.mark == mark) {
                out.extend([if changed && *own != b' ' { b'!' } else { *own }, b' ']);
                out.extend_from_slice(text);
                if text.last() != Some(&b'\n') {
                    out.extend(b"\n\\ No newline at end of file\n");
                }
            }
        }
    }
}
