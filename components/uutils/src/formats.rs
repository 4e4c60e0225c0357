//! Formats in values of options: the types of `od`.

/// Returns the error in a type of `od`, if it has one.
pub(crate) fn od_type(all: &str) -> Option<String> {
    let mut rest = all;
    while let Some(kind) = rest.chars().next() {
        rest = &rest[kind.len_utf8()..];
        let (letters, sizes, what): (&str, &[&str], &str) = match kind {
            'a' | 'c' => ("", &[], ""),
            'd' | 'o' | 'u' | 'x' => ("CSIL", &["1", "2", "4", "8"], "integral"),
            'f' => ("FDL", &["4", "8", "16"], "floating point"),
            other => return Some(format!("invalid character '{other}' in type string '{all}'")),
        };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if rest.starts_with(|c| letters.contains(c)) {
            rest = &rest[1..];
        } else if digits > 0 && !sizes.is_empty() {
            let size = &rest[..digits];
            if !sizes.contains(&size) {
                return Some(format!("invalid type string '{all}';\nthis system doesn't provide a {size}-byte {what} type"));
            }
            rest = &rest[digits..];
        }
        rest = rest.strip_prefix('z').unwrap_or(rest);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_od() {
        for good in ["x1", "x1z", "cz", "a", "dI", "fD", "x1o2", "f", "fL"] {
            assert_eq!(od_type(good), None, "{good}");
        }
        assert_eq!(od_type("a1").as_deref(), Some("invalid character '1' in type string 'a1'"));
        assert_eq!(od_type("d3").as_deref(), Some("invalid type string 'd3';\nthis system doesn't provide a 3-byte integral type"));
    }
}
