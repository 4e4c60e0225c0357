//! Emacs' regular expressions, the default of `-regex`.

/// Translates Emacs' syntax to a basic expression. In Emacs' syntax `+` and `?` are operators, and braces are not.
pub(crate) fn emacs(source: &str) -> String {
    let mut out = String::new();
    let mut chars = source.chars();
    let mut bracket = 0;
    while let Some(c) = chars.next() {
        match c {
            _ if bracket > 0 => {
                out.push(c);
                bracket = match c {
                    ']' if bracket > 1 => 0,
                    '^' if bracket == 1 => 1,
                    _ => 2,
                };
            }
            '[' => {
                out.push(c);
                bracket = 1;
            }
            '+' | '?' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => match chars.next() {
                Some(n @ ('+' | '?' | '{' | '}')) => out.push(n),
                Some(n) => {
                    out.push('\\');
                    out.push(n);
                }
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::emacs;

    #[test]
    fn emacs_syntax_is_basic_with_plus() {
        assert_eq!(emacs("a+\\(b\\|c\\)?\\+[+?]"), "a\\+\\(b\\|c\\)\\?+[+?]");
    }
}
