//! Hunks of a unified diff.

use crate::hunk::{Hunk, Kind, kind_of};
use crate::lines::Lines;
use crate::mistake::{Mistake, Wrong};

/// Most empty lines at the end of a diff that GNU's `patch` takes as lost.
const MOST_LOST: usize = 3;

/// Reads the next hunk, whose lines are as many as its head says.
pub(crate) fn hunk<'d>(lines: &mut Lines<'d>, lenient: bool) -> Result<Hunk<'d>, Wrong<'d>> {
    let start = *lines;
    let wrong = |place: Lines<'d>, mistake| Wrong { line: place.at, text: place.whole(), mistake };
    let Some([old, new]) = lines.next().and_then(ranges) else { return Err(wrong(start, Mistake::HunkHead)) };
    let ((mut left_old, mut left_new), mut begun, mut lost) = ((old.1, new.1), false, 0);
    while left_old > 0 || left_new > 0 {
        let place = *lines;
        let Some(line) = lines.next() else {
            if lenient && begun && left_old == left_new && left_old <= MOST_LOST {
                // At most three.
                lost = left_old as u8;
                break;
            }
            return Err(wrong(place, Mistake::Ends { old: left_old, new: left_new, begun }));
        };
        if line.first() == Some(&b'\\') {
            if !begun && !lenient {
                return Err(wrong(place, Mistake::NothingEnds));
            }
            continue;
        }
        let Some((kind, _)) = kind_of(line, lenient) else {
            return Err(wrong(place, Mistake::NoLineOfHunk { old: left_old, new: left_new }));
        };
        begun = true;
        for (count, has) in [(&mut left_old, kind != Kind::Added), (&mut left_new, kind != Kind::Removed)] {
            *count = count.checked_sub(usize::from(has)).ok_or_else(|| wrong(place, Mistake::MoreLines))?;
        }
    }
    if lines.rest.starts_with(if lenient { b"\\" } else { b"\\ " }) {
        if !begun && !lenient {
            return Err(wrong(*lines, Mistake::NothingEnds));
        }
        lines.next();
    }
    let text = &start.rest[..start.rest.len() - lines.rest.len()];
    Ok(Hunk::in_text(start.at, [old, new], text, lost, lenient))
}

/// Reads the ranges of `@@ -L,C +L,C @@`: line and count of old and new.
fn ranges(head: &[u8]) -> Option<[(usize, usize); 2]> {
    let end = head.windows(3).position(|part| part == b" @@")?;
    let (old, new) = std::str::from_utf8(&head[..end]).ok()?.strip_prefix("@@ -")?.split_once(" +")?;
    let range = |text: &str| {
        let (line, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((line.parse().ok()?, count.parse().ok()?))
    };
    Some([range(old)?, range(new)?])
}
