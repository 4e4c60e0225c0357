//! What a patch says about each file.

use wisp_diff::{Form, Head, Hunk, Mistake, Moved, Reader, Reading, Wrong};

/// A patch of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct Patch<'d> {
    /// Name in the `---` line (`***` of a context diff).
    pub old: Option<String>,
    /// Name in the `+++` line.
    pub new: Option<String>,
    /// Name in the `Index:` line.
    pub index: Option<String>,
    /// The lines of the headers as they are.
    pub header: Vec<Vec<u8>>,
    /// The two names of `rename from` and `rename to`, or of `copy from` and `copy to`.
    pub rename: Option<(String, String)>,
    /// Whether it is a copy.
    pub copy: bool,
    /// Whether its lines ended with carriage returns, which were removed.
    pub returns: bool,
    /// `new file mode`, `new mode`: with the bits that say what kind of file it is.
    pub mode: Option<u32>,
    /// `deleted file mode`, `old mode`.
    pub was: Option<u32>,
    /// Whether it begins with `diff --git`.
    pub git: bool,
    /// How certain it is that the old and the new file do not exist: 1 if the range is empty, 2 if the header says so.
    pub missing: (u8, u8),
    /// Whether it is not a unified diff.
    pub context: bool,
    /// `GIT binary patch`.
    pub binary: bool,
    /// The error after the hunks that were read.
    pub broken: Option<String>,
    /// The hunks.
    pub hunks: Vec<Hunk<'d>>,
    /// Where it begins in the input.
    pub line: usize,
    /// The lines before its hunks, as they are.
    pub lead: &'d [u8],
}

/// Returns whether a header says that its file does not exist: by the name `/dev/null`, or by the time 0.
fn absent(header: &[u8]) -> bool {
    let text = String::from_utf8_lossy(header).into_owned();
    let Some((name, time)) = text.trim_end().split_once('\t') else { return text.trim_end() == "/dev/null" };
    let moment = || {
        let mut parts = time.split_whitespace();
        let (date, clock, zone) = (parts.next()?, parts.next()?, parts.next()?);
        let mut date = date.splitn(3, '-').map(str::parse::<i64>);
        let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
        let mut clock = clock.split('.').next()?.splitn(3, ':').map(str::parse::<i64>);
        let (hour, minute, second) = (clock.next()?.ok()?, clock.next()?.ok()?, clock.next()?.ok()?);
        let zone: i64 = zone.parse().ok()?;
        let away = (zone / 100 * 60 + zone % 100) * 60;
        Some(wisp_tool::calendar::days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - away)
    };
    name == "/dev/null" || moment() == Some(0)
}

/// Reads all patches; `named`: the command line names the file. Unreadable text ends the last patch.
pub(super) fn parse(input: &[u8], named: bool, binary: bool) -> Vec<Patch<'_>> {
    let mut reader = Reader::new(input, Reading::Patch { named });
    let mut all = Vec::new();
    // It finds nothing wrong before the hunks.
    while let Ok(Some(head)) = reader.head() {
        let mut patch = Patch::of(head);
        loop {
            match reader.hunk() {
                Ok(Some(hunk)) => patch.hunks.push(hunk),
                Ok(None) => break,
                Err(wrong) => {
                    patch.broken = Some(message(&wrong));
                    break;
                }
            }
        }
        let ends = patch.broken.is_some();
        if ends || !patch.hunks.is_empty() {
            patch.finish(binary);
        }
        all.push(patch);
        if ends {
            break;
        }
    }
    all
}

/// Returns the words of GNU's patch.
fn message(wrong: &Wrong<'_>) -> String {
    match wrong.mistake {
        Mistake::Ends { new, .. } if new > 3 => "unexpected end of file in patch".to_owned(),
        Mistake::Ends { begun: false, .. } => format!("unexpected end of file in patch at line {}", wrong.line),
        _ => format!("malformed patch at line {}: {}", wrong.line, String::from_utf8_lossy(wrong.text)),
    }
}

impl<'d> Patch<'d> {
    /// Returns what the lines before the hunks say.
    fn of(head: Head<'d>) -> Self {
        let moved = head.moved().map(|(from, to, how)| ((from.to_owned(), to.to_owned()), how));
        // A patch that only changes a mode has no other names.
        let [git_old, git_new] = head.git_names.map_or([None, None], |names| names.map(Some));
        Self {
            old: head.old.or(git_old),
            new: head.new.or(git_new),
            index: head.index,
            header: head.lines.map_or_else(Vec::new, |lines| lines.map(<[u8]>::to_vec).into()),
            copy: matches!(moved, Some((_, Moved::Copy))),
            rename: moved.map(|(names, _)| names),
            mode: head.new_mode,
            was: head.old_mode,
            git: head.git,
            missing: (2 * u8::from(head.created), 2 * u8::from(head.deleted)),
            context: matches!(head.form, Some(Form::Context | Form::Normal)),
            binary: head.binary,
            line: head.hunks_at,
            lead: head.lead,
            ..Self::default()
        }
    }

    /// Settles what follows from header and hunks.
    fn finish(&mut self, binary: bool) {
        if let Some(hunk) = self.hunks.first() {
            let certain = |range: (usize, usize), header: Option<&Vec<u8>>| match range {
                (0, 0) => 1 + u8::from(header.is_some_and(|line| absent(&line[4..]))),
                _ => 0,
            };
            let (old, new) = (certain(hunk.old, self.header.first()), certain(hunk.new, self.header.get(1)));
            self.missing = (self.missing.0.max(old), self.missing.1.max(new));
        }
        if !binary && !self.header.is_empty() && self.header.iter().all(|line| line.ends_with(b"\r\n")) {
            self.without_returns();
        }
    }

    /// Removes carriage returns that another system added to the ends of lines.
    fn without_returns(&mut self) {
        self.returns = true;
        self.hunks.iter_mut().for_each(Hunk::strip_returns);
        for line in &mut self.header {
            line.truncate(line.len() - 2);
            line.push(b'\n');
        }
    }

    /// Returns whether it is a patch of a symbolic link.
    pub(super) fn is_link(&self) -> bool {
        self.mode.or(self.was).is_some_and(|mode| mode & 0o170_000 == 0o120_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wisp_diff::Line;

    #[test]
    fn patches_are_read() {
        let all =
            parse(b"junk\n--- a/x\t2024\n+++ b/x\t2024\n@@ -1,2 +1,2 @@ f()\n a\n-b\n+c\n\\ No newline at end of file\n", true, false);
        let lines: Vec<Line<'_>> = all[0].hunks[0].lines().collect();
        assert_eq!((all[0].old.as_deref(), all[0].hunks[0].note(), lines.len()), (Some("a/x"), &b" f()"[..], 3));
        assert_eq!((lines[2].text, lines[2].unended), (&b"c"[..], true));
        assert_eq!((all[0].line, all[0].lead), (4, &b"junk\n--- a/x\t2024\n+++ b/x\t2024\n"[..]));
        assert_eq!(parse(b"diff --git a/x b/x\nnew mode 100755\n--- a/x\n+++ b/x\n", true, false)[0].line, 5);
        assert_eq!(parse(b"2c2\n< b\n---\n> B\n", true, false)[0].hunks[0].old, (2, 1));
        assert!(parse(b"nothing\n", true, false).is_empty());
    }

    #[test]
    fn what_is_broken_is_named_as_gnu_names_it() {
        let broken = |text: &str| parse(text.as_bytes(), true, false)[0].broken.clone().unwrap_or_default();
        assert_eq!(broken("--- a\n+++ b\n@@ -1,3 +1 @@\n x\n?\n"), "malformed patch at line 5: ?\n");
        assert_eq!(broken("--- a\n+++ b\n@@ -1,9 +1,9 @@\n x\n"), "unexpected end of file in patch");
        assert_eq!(broken("--- a\n+++ b\n@@ -1,2 +1,2 @@\n"), "unexpected end of file in patch at line 4");
        assert_eq!(broken("--- a\n+++ b\n@@ -1,3 +1,3 @@\n x\n"), "");
    }

    #[test]
    fn what_does_not_exist_is_known_by_name_or_time() {
        let missing = |text: &str| parse(text.as_bytes(), true, false)[0].missing;
        assert_eq!(missing("--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n+x\n"), (2, 0));
        assert_eq!(missing("--- a\t1970-01-01 01:00:00.0 +0100\n+++ b\n@@ -0,0 +1 @@\n+x\n"), (2, 0));
        assert_eq!(missing("--- a\t2026-01-01 01:00:00.0 +0100\n+++ b\n@@ -0,0 +1 @@\n+x\n"), (1, 0));
    }
}
