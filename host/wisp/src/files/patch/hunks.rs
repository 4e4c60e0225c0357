//! Applies the hunks of one file to its contents, and says of one that does not fit why not.

use wisp_api::{PatchReject, shown};
use wisp_diff::{Hunk, Misfit, Rules, Why};

/// All old lines of a hunk must be there, and all in a bounded number of comparisons of lines.
const RULES: Rules = Rules::exact(20_000_000);

/// How much of a line an error is made from. It shows less.
const SHOWN: usize = 4_096;

/// Returns the new contents, and how far the furthest hunk was from the place that it names.
pub(super) fn apply(file: &str, old: &[u8], hunks: &[Hunk<'_>]) -> Result<(Vec<u8>, u64), PatchReject> {
    let applied = wisp_diff::apply_all(old, hunks, RULES);
    let rejected = |misfit: Misfit<'_>| PatchReject {
        file: Some(file.to_owned()),
        hunk: Some(misfit.hunk),
        line: misfit.line,
        reason: reason(misfit.why),
    };
    applied.map(|(new, furthest)| (new, furthest as u64)).map_err(rejected)
}

fn reason(why: Why<'_>) -> String {
    let text = |bytes: &[u8]| shown(String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).trim_end_matches(['\r', '\n']));
    match why {
        Why::Short { lines, line, wanted } => {
            format!("the file has {lines} lines, and the hunk expects line {line} to be `{}`", text(wanted))
        }
        Why::Ends { line } => format!("line {line} of the file and of the hunk have different line ends (CR LF and LF)"),
        Why::Differs { line, there, wanted } => {
            format!("line {line} of the file is `{}`, and the hunk expects `{}`; no other place fits", text(there), text(wanted))
        }
        Why::Taken => "its lines are only at a place that an earlier hunk changes".to_owned(),
        Why::Work => "its place cannot be found in reasonable time".to_owned(),
    }
}
