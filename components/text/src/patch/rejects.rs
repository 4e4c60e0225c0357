//! The hunks that did not fit, in the format of the reject file.

use super::parse::Patch;
use wisp_diff::{Hunk, Kind, Line, range};

const UNENDED: &[u8] = b"\\ No newline at end of file\n";

/// Returns the hunks as a unified diff, or as a context diff if the patch was not unified.
pub(super) fn text(patch: &Patch<'_>, hunks: &[&Hunk<'_>], context: bool) -> Vec<u8> {
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

fn unified(hunk: &Hunk<'_>, out: &mut Vec<u8>) {
    let [old, new] = [hunk.old, hunk.new].map(|(start, count)| range(start, count));
    out.extend(format!("@@ -{old} +{new} @@{}\n", String::from_utf8_lossy(hunk.note())).bytes());
    let mut lines = hunk.lines().peekable();
    while let Some(line) = lines.next() {
        out.push(line.kind.mark());
        out.extend_from_slice(line.text);
        if !line.unended {
            out.push(b'\n');
        } else if lines.peek().is_some() {
            // The last line needs no note.
            out.push(b'\n');
            out.extend(UNENDED);
        }
    }
}

fn both_sides(hunk: &Hunk<'_>, out: &mut Vec<u8>) {
    let range = |(start, count): (usize, usize)| if count < 2 { start.to_string() } else { format!("{start},{}", start + count - 1) };
    let lines: Vec<Line<'_>> = hunk.lines().collect();
    out.extend(b"***************\n");
    for (kind, head, bounds, tail) in [(Kind::Removed, "***", hunk.old, "****"), (Kind::Added, "---", hunk.new, "----")] {
        out.extend(format!("{head} {} {tail}\n", range(bounds)).bytes());
        // Lines between two unchanged ones are changed if both sides have some.
        for group in lines.split_inclusive(|line| line.kind == Kind::Context) {
            let changed = [Kind::Removed, Kind::Added].iter().all(|kind| group.iter().any(|line| line.kind == *kind));
            for line in group.iter().filter(|line| line.kind == Kind::Context || line.kind == kind) {
                out.extend([if changed && line.kind == kind { b'!' } else { line.kind.mark() }, b' ']);
                out.extend_from_slice(line.text);
                out.push(b'\n');
                if line.unended {
                    out.extend(UNENDED);
                }
            }
        }
    }
}
