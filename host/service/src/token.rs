//! A secret that clients of a listener send.

use std::fmt;

/// Least bytes of a token.
const LEAST: usize = 16;

/// The secret that a client must send, where a surface listens for clients.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Returns the token with this text; `None` if it has fewer than 16 bytes, or bytes that a header cannot have.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        (text.len() >= LEAST && text.bytes().all(|byte| byte.is_ascii_graphic())).then_some(Self(text))
    }

    /// Returns a token that nobody can guess.
    ///
    /// # Errors
    /// If the system provides no randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{:032x}", u128::from_ne_bytes(bytes))))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the value of a header `Authorization` is this token, as `Bearer …`. The time does not depend on where they differ.
    pub fn is_sent_by(&self, authorization: &[u8]) -> bool {
        let Some((scheme, sent)) = authorization.split_at_checked(7) else { return false };
        let differ = sent.iter().zip(self.0.as_bytes()).fold(0, |differ, (one, other)| differ | (one ^ other));
        scheme.eq_ignore_ascii_case(b"bearer ") && sent.len() == self.0.len() && std::hint::black_box(differ) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_whole_of_what_is_sent() {
        let token = Token::new("0123456789abcdef").expect("a token");
        assert!(token.is_sent_by(b"Bearer 0123456789abcdef") && token.is_sent_by(b"bearer 0123456789abcdef"));
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer 0123456789abcdeF",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdef0",
            "Basic 0123456789abcdef",
        ] {
            assert!(!token.is_sent_by(wrong.as_bytes()), "{wrong}");
        }
        assert_eq!((Token::new("short"), Token::new("with a space and more"), format!("{token:?}")), (None, None, "Token(…)".to_owned()));
        assert_ne!(Token::random().expect("randomness"), Token::random().expect("randomness"));
    }
}
