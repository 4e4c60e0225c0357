//! Finding where a hunk belongs, and applying it.

use super::parse::{Hunk, Line};

/// How the place of a hunk is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// How many lines of context may be ignored.
    pub fuzz: usize,
    /// Whether blanks are ignored.
    pub blanks: bool,
}

/// The outcome of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Applied at this line (from 1) of the new file, at this offset from its place, ignoring this much context.
    Applied { line: usize, offset: isize, fuzz: usize },
    /// Its place was not found.
    Failed,
}

/// A reversed hunk.
pub(super) fn reversed(hunk: &Hunk) -> Hunk {
    let turn = |mark: u8| match mark {
        b'-' => b'+',
        b'+' => b'-',
        other => other,
    };
    let mut lines: Vec<Line> = hunk.lines.iter().map(|l| Line { mark: turn(l.mark), text: l.text.clone() }).collect();
    // Deletions come before insertions.
    let mut at = 0;
    while at < lines.len() {
        let end = at + lines[at..].iter().take_while(|l| l.mark != b' ').count();
        lines[at..end].sort_by_key(|l| l.mark == b'+');
        at = end + 1;
    }
    Hunk { old: hunk.new, new: hunk.old, note: hunk.note.clone(), lines }
}

fn same(a: &[u8], b: &[u8], rules: Rules) -> bool {
    if !rules.blanks {
        return a == b;
    }
    let squeeze = |t: &[u8]| t.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(&b' ');
    squeeze(a) == squeeze(b)
}

/// Applies hunks to the lines of a file; returns the outcomes and the new lines.
pub(super) fn apply(file: &[Vec<u8>], hunks: &[Hunk], rules: Rules) -> (Vec<Outcome>, Vec<Vec<u8>>) {
    let mut out: Vec<Vec<u8>> = Vec::new();
    let (mut copied, mut offset) = (0_usize, 0_isize);
    let mut outcomes = Vec::new();
    for hunk in hunks {
        let old: Vec<&[u8]> = hunk.lines.iter().filter(|l| l.mark != b'+').map(|l| &l.text[..]).collect();
        let prefix = hunk.lines.iter().take_while(|l| l.mark == b' ').count();
        let suffix = hunk.lines.iter().rev().take_while(|l| l.mark == b' ').count();
        // The expected place: an empty range names the line before it.
        let wanted = if hunk.old.1 == 0 { hunk.old.0 } else { hunk.old.0.saturating_sub(1) };
        let context = prefix.max(suffix);
        let mut found = None;
        for fuzz in 0..=rules.fuzz.min(context) {
            let cut_front = (fuzz + prefix).saturating_sub(context).min(prefix);
            let cut_back = (fuzz + suffix).saturating_sub(context).min(suffix);
            let part = &old[cut_front..old.len() - cut_back];
            let first = wanted as isize + offset + cut_front as isize;
            // Less context before or after the change means the start or the end of the file.
            let at_start = fuzz + prefix < context && hunk.old.0 <= 1;
            let at_end = fuzz + suffix < context;
            if let Some(at) = locate(file, part, first, copied, (at_start, at_end), rules) {
                found = Some((at, fuzz, cut_front, cut_back, part.len()));
                break;
            }
        }
        let Some((at, fuzz, cut_front, cut_back, length)) = found else {
            outcomes.push(Outcome::Failed);
            continue;
        };
        out.extend_from_slice(&file[copied..at]);
        let line = out.len() + 1 - cut_front.min(out.len());
        let mut place = at;
        let end = hunk.lines.len() - cut_back;
        for one in &hunk.lines[cut_front..end] {
            match one.mark {
                b'+' => out.push(one.text.clone()),
                b' ' => {
                    // The line of the file stays: its blanks may differ.
                    out.push(file[place].clone());
                    place += 1;
                }
                _ => place += 1,
            }
        }
        copied = at + length;
        let moved = at as isize - cut_front as isize - wanted as isize;
        let shift = moved;
        offset = moved;
        let line = if hunk.new.1 == 0 { hunk.new.0.max(line.saturating_sub(1)) } else { line };
        outcomes.push(Outcome::Applied { line, offset: shift, fuzz });
    }
    out.extend_from_slice(&file[copied..]);
    (outcomes, out)
}

/// The place nearest to `first` with the lines `part`, not before `least`.
fn locate(file: &[Vec<u8>], part: &[&[u8]], first: isize, least: usize, (at_start, at_end): (bool, bool), rules: Rules) -> Option<usize> {
    let most = file.len().checked_sub(part.len())?;
    let fits = |at: usize| part.iter().zip(&file[at..]).all(|(a, b)| same(a, b, rules));
    if part.is_empty() {
        return Some((first.max(0) as usize).clamp(least.min(file.len()), file.len()));
    }
    if at_start {
        return (least == 0 && fits(0)).then_some(0);
    }
    if at_end {
        return (most >= least && fits(most)).then_some(most);
    }
    let far = file.len() as isize + first.abs() + 1;
    for distance in 0..=far {
        for at in [first + distance, first - distance] {
            if let Ok(at) = usize::try_from(at)
                && at >= least
                && at <= most
                && fits(at)
            {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn run(file: &str, patch: &str) -> (Vec<Outcome>, String) {
        let lines: Vec<Vec<u8>> = file.split_inclusive('\n').map(|l| l.as_bytes().to_vec()).collect();
        let hunks = &parse(patch.as_bytes(), true, false)[0].hunks;
        let (outcomes, new) = apply(&lines, hunks, Rules { fuzz: 2, blanks: false });
        (outcomes, String::from_utf8(new.concat()).unwrap())
    }

    #[test]
    fn hunks_find_their_place() {
        let patch = "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n";
        assert_eq!(run("a\nb\nc\nd\ne\n", patch), (vec![Outcome::Applied { line: 2, offset: 0, fuzz: 0 }], "a\nb\nC\nd\ne\n".into()));
        assert_eq!(run("x\na\nb\nc\nd\n", patch), (vec![Outcome::Applied { line: 3, offset: 1, fuzz: 0 }], "x\na\nb\nC\nd\n".into()));
        assert_eq!(run("a\nB\nc\nd\n", patch).0, [Outcome::Applied { line: 2, offset: 0, fuzz: 1 }]);
        assert_eq!(run("a\nb\nX\nd\n", patch).0, [Outcome::Failed]);
    }
}
