//! Formats in values of options: the types of `od`, the directive of `seq`.

/// What is wrong with a type of `od`.
pub fn od_type(all: &str) -> Option<String> {
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

/// What is wrong with the one directive of a format of `seq`, if it is of the wrong kind.
pub fn directive(format: &str) -> Option<String> {
    let start = format.replace("%%", "__").find('%')? + 1;
    let rest = format[start..].trim_start_matches(|c| "-+#0 '".contains(c)).trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix('.').map_or(rest, |r| r.trim_start_matches(|c: char| c.is_ascii_digit()));
    let rest = rest.strip_prefix('L').unwrap_or(rest);
    let kind = rest.chars().next()?;
    (!"efgaEFGA%".contains(kind)).then(|| format!("format '{format}' has unknown %{kind} directive"))
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

    #[test]
    fn formats_of_seq() {
        for good in ["%g", "%%%5.2f", "x%'gy", "%Le", "%", "a"] {
            assert_eq!(directive(good), None, "{good}");
        }
        assert_eq!(directive("%5d").as_deref(), Some("format '%5d' has unknown %d directive"));
        assert_eq!(directive("%%%lg").as_deref(), Some("format '%%%lg' has unknown %l directive"));
    }
}
