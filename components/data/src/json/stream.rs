//! `--stream`: a text as events, a leaf or an end at a time, so that no text is ever whole in memory.

use super::Val;

#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Seen {
    #[default]
    Nothing,
    OpenArray,
    OpenObject,
    Colon,
    Comma,
    Value,
}

/// Where the reader is, and the events it has not given yet.
#[derive(Default)]
pub(super) struct Events {
    /// An index for an array; the key, or null before it is known, for an object.
    path: Vec<Val>,
    seen: Seen,
    waiting: Vec<Val>,
}

impl Events {
    /// Opens containers.
    pub(super) fn depth(&self) -> usize {
        self.path.len()
    }

    /// Returns the path of what comes next.
    pub(super) fn place(&self) -> Val {
        Val::arr(self.path.clone())
    }

    /// Returns the next event.
    pub(super) fn pending(&mut self) -> Option<Val> {
        if self.waiting.is_empty() { None } else { Some(self.waiting.remove(0)) }
    }

    /// Notes a scalar.
    pub(super) fn value(&mut self, another: bool) -> Result<(), String> {
        if another || self.seen == Seen::Value {
            return Err("Expected separator between values".into());
        }
        self.seen = if self.path.is_empty() { Seen::Nothing } else { Seen::Value };
        Ok(())
    }

    fn leaf(&mut self, value: Val) {
        self.waiting.push(Val::arr(vec![Val::arr(self.path.clone()), value]));
    }

    fn in_object(&self) -> bool {
        !matches!(self.path.last(), Some(Val::Num(_)) | None)
    }

    /// Takes one of `[ { : , ] }`; `next` is the scalar before it.
    pub(super) fn token(&mut self, byte: u8, next: &mut Option<Val>) -> Result<(), String> {
        match byte {
            b'[' | b'{' => self.open(byte, next.is_some()),
            b':' => {
                if !self.in_object() {
                    return Err("':' not as part of an object".into());
                }
                match next.take() {
                    None => Err("Expected string key before ':'".into()),
                    Some(_) if self.seen == Seen::Nothing => Err("Expected string key before ':'".into()),
                    Some(key @ Val::Str(_)) if self.seen == Seen::Value => {
                        self.seen = Seen::Colon;
                        if let Some(last) = self.path.last_mut() {
                            *last = key;
                        }
                        Ok(())
                    }
                    Some(Val::Str(_)) => Err("':' should follow a key".into()),
                    Some(_) => Err("Object keys must be strings".into()),
                }
            }
            b',' => self.comma(next),
            _ => self.close(byte, next),
        }
    }

    fn open(&mut self, byte: u8, value_before: bool) -> Result<(), String> {
        if value_before || self.seen == Seen::Value {
            return Err("Expected a separator between values".into());
        }
        let name = char::from(byte);
        if self.seen == Seen::OpenObject {
            return Err(format!("Expected string key after '{{', not '{name}'"));
        }
        if self.seen == Seen::Comma && self.in_object() {
            return Err(format!("Expected string key after ',' in object, not '{name}'"));
        }
        if self.path.len() >= super::MAX_DEPTH {
            return Err("Exceeds depth limit for parsing".into());
        }
        self.path.push(if byte == b'[' { Val::Num(0.0) } else { Val::Null });
        self.seen = if byte == b'[' { Seen::OpenArray } else { Seen::OpenObject };
        Ok(())
    }

    fn comma(&mut self, next: &mut Option<Val>) -> Result<(), String> {
        if self.seen != Seen::Value {
            return Err("Expected value before ','".into());
        }
        let following = match self.path.last() {
            None => return Err("',' not as part of an object or array".into()),
            Some(Val::Num(index)) => Val::Num(index + 1.0),
            Some(Val::Str(_)) => Val::Null,
            Some(_) => return Err("Objects must consist of key:value pairs".into()),
        };
        if let Some(value) = next.take() {
            self.leaf(value);
        }
        if let Some(last) = self.path.last_mut() {
            *last = following;
        }
        self.seen = Seen::Comma;
        Ok(())
    }

    fn close(&mut self, byte: u8, next: &mut Option<Val>) -> Result<(), String> {
        let array = byte == b']';
        if self.path.is_empty() {
            return Err(format!("Unmatched '{}' at the top-level", char::from(byte)));
        }
        if self.seen == Seen::Comma {
            return Err(if array { "Expected another array element" } else { "Expected another key:value pair" }.into());
        }
        if array == self.in_object() {
            let place = if array { "an object" } else { "an array" };
            return Err(format!("Unmatched '{}' in the middle of {place}", char::from(byte)));
        }
        let empty = self.seen == if array { Seen::OpenArray } else { Seen::OpenObject };
        match next.take() {
            Some(_) if !array && !matches!(self.path.last(), Some(Val::Str(_))) => {
                return Err("Objects must consist of key:value pairs".into());
            }
            Some(value) => {
                self.leaf(value);
                self.waiting.push(Val::arr(vec![Val::arr(self.path.clone())]));
            }
            None if self.seen == Seen::Colon => return Err("Missing value in key:value pair".into()),
            None if !empty => self.waiting.push(Val::arr(vec![Val::arr(self.path.clone())])),
            None => {}
        }
        self.path.pop();
        if empty {
            self.leaf(if array { Val::arr(Vec::new()) } else { Val::obj(super::Map::default()) });
        }
        self.seen = if self.path.is_empty() { Seen::Nothing } else { Seen::Value };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Parser, to_text};

    fn events(text: &str) -> String {
        let mut parser = Parser::new(false, true);
        let mut bytes = text.as_bytes();
        let mut out = String::new();
        while let Some(event) = parser.feed(&mut bytes).unwrap() {
            out += &to_text(&event);
        }
        while let Some(event) = parser.finish().unwrap() {
            out += &to_text(&event);
        }
        out
    }

    #[test]
    fn leaves_and_ends() {
        assert_eq!(events(r#"{"a":[1,{"b":2}]}"#), r#"[["a",0],1][["a",1,"b"],2][["a",1,"b"]][["a",1]][["a"]]"#);
        assert_eq!(events("[] {} 3"), "[[],[]][[],{}][[],3]");
        assert_eq!(events("[[],1]"), "[[0],[]][[1],1][[1]]");
    }
}
