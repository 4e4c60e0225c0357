//! JSON that is safe to show at a terminal, whatever a guest put into its strings.

use serde::Serialize;

/// Formats on several lines, for people.
pub(crate) fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(harmless(serde_json::to_string_pretty(value)?) + "\n")
}

/// Formats on one line.
pub(crate) fn line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(harmless(serde_json::to_string(value)?) + "\n")
}

/// Escapes the control characters that JSON leaves: it only escapes those below U+0020. Those from U+007F to U+009F, which some terminals
/// obey too, can occur only in its strings.
fn harmless(json: String) -> String {
    let control = |c: char| ('\u{7f}'..='\u{9f}').contains(&c);
    if !json.contains(control) {
        return json;
    }
    json.chars().fold(String::with_capacity(json.len()), |mut text, c| {
        match control(c) {
            true => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => text.push(c),
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left_and_none_is_lost() {
        let all: String = (0..=0x100).filter_map(char::from_u32).collect();
        for json in [line(&all).unwrap(), pretty(&[&all]).unwrap()] {
            assert!(!json.trim_end().chars().any(|c| c.is_control() && c != '\n'), "{json:?}");
            assert!(json.contains("\\u009b") && json.contains("\\u007f") && json.contains('\u{a0}'));
            let read: serde_json::Value = serde_json::from_str(&json).unwrap();
            assert_eq!(read.as_str().or_else(|| read[0].as_str()), Some(all.as_str()));
        }
    }
}
