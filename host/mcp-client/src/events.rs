//! Messages as events: a stream of the type `text/event-stream`, as the HTML standard has it ("server-sent events").

use std::time::Duration;

/// Maximum bytes of the id of an event. After one with more, a stream is not taken up again.
const ID: usize = 4 << 10;

/// How long to wait before a stream is taken up again, if the server does not say.
const RETRY: Duration = Duration::from_secs(1);

/// The shortest and the longest wait that a server can ask for: none would keep both machines busy, and a call has its own limit.
const RETRY_LEAST: Duration = Duration::from_millis(100);
const RETRY_MOST: Duration = Duration::from_secs(3600);

/// The events of a stream, from its pieces.
pub(crate) struct Events {
    /// Maximum bytes of an event.
    most: usize,
    /// The line that has begun.
    line: Vec<u8>,
    /// Whether the last byte was a carriage return: a line feed after it ends no other line.
    returned: bool,
    /// Whether a line has ended: only the first may begin with a byte order mark.
    begun: bool,
    data: Option<Vec<u8>>,
    /// Whether the event is of another type than `message`.
    other: bool,
    /// The id that holds from the end of the event on, and the one that holds.
    id: Vec<u8>,
    last_id: Vec<u8>,
    retry: Duration,
}

impl Events {
    /// Creates a stream whose events have at most so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            line: Vec::new(),
            returned: false,
            begun: false,
            data: None,
            other: false,
            id: Vec::new(),
            last_id: Vec::new(),
            retry: RETRY,
        }
    }

    /// Takes a piece of the stream. Returns the messages that are complete now, or `None` if one has too many bytes.
    pub(crate) fn push(&mut self, mut piece: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut messages = Vec::new();
        while let Some(first) = piece.first() {
            if std::mem::take(&mut self.returned) && *first == b'\n' {
                piece = &piece[1..];
                continue;
            }
            let end = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let taken = end.unwrap_or(piece.len());
            if self.line.len() + taken + self.data.as_ref().map_or(0, Vec::len) > self.most {
                return None;
            }
            self.line.extend_from_slice(&piece[..taken]);
            if let Some(end) = end {
                self.returned = piece[end] == b'\r';
                messages.extend(self.end_line());
            }
            piece = &piece[(taken + 1).min(piece.len())..];
        }
        Some(messages)
    }

    /// Begins the stream again, as from another connection. Returns the id after which the server shall go on, if it gave one.
    pub(crate) fn restart(&mut self) -> Option<Vec<u8>> {
        let again = Self { last_id: std::mem::take(&mut self.last_id), retry: self.retry, ..Self::new(self.most) };
        *self = Self { id: again.last_id.clone(), ..again };
        Some(self.last_id.clone()).filter(|id| !id.is_empty())
    }

    /// Returns how long to wait before that.
    pub(crate) fn retry(&self) -> Duration {
        self.retry.clamp(RETRY_LEAST, RETRY_MOST)
    }

    /// Takes the line that has ended. Returns the message that it completes.
    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        let mark = if std::mem::replace(&mut self.begun, true) { None } else { line.strip_prefix(b"\xef\xbb\xbf") };
        let line = mark.unwrap_or(&line);
        if line.is_empty() {
            self.last_id.clone_from(&self.id);
            let (data, other) = (self.data.take(), std::mem::take(&mut self.other));
            return data.filter(|data| !data.is_empty() && !other);
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, rest) = line.split_at(colon);
        let value = rest.strip_prefix(b":").unwrap_or(rest);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            },
            b"event" => self.other = !value.is_empty() && value != b"message",
            // What cannot be sent back is no place to go on from.
            b"id" if value.len() > ID => self.id.clear(),
            b"id" if !value.contains(&0) => self.id = value.to_vec(),
            b"retry" => {
                let number = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                if let Some(milliseconds) = number.and_then(|text| text.parse().ok()) {
                    self.retry = Duration::from_millis(milliseconds);
                }
            }
            // A comment (without a name), or a field that nobody knows.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(messages: Vec<Vec<u8>>) -> Vec<String> {
        messages.into_iter().map(|message| String::from_utf8_lossy(&message).into_owned()).collect()
    }

    #[test]
    fn messages_are_found_wherever_the_stream_is_cut_and_however_lines_end() {
        let stream = "\u{feff}: hello\nid: 1\ndata: {\"a\":\ndata:1}\n\nevent: message\ndata: two\n\nevent: other\ndata: no\n\n\
                      data\n\nretry: 20\nid: 2\ndata:\n\nignored: x\ndata:  three\n\ndata: not ended\n";
        for ending in ["\n", "\r", "\r\n"] {
            let stream = stream.replace('\n', ending);
            for size in 1..stream.len() {
                let mut events = Events::new(1000);
                let found: Vec<String> =
                    stream.as_bytes().chunks(size).flat_map(|piece| texts(events.push(piece).expect("they are small"))).collect();
                assert_eq!(found, ["{\"a\":\n1}", "two", " three"], "{size} {ending:?}");
                assert_eq!((events.restart().as_deref(), events.retry()), (Some(&b"2"[..]), RETRY_LEAST));
                // What had begun is not taken up.
                assert_eq!(texts(events.push(b"data: x\n\n").expect("it is small")), ["x"]);
            }
        }
    }

    #[test]
    fn an_event_without_an_end_is_not_kept() {
        let mut events = Events::new(100);
        assert!(events.push(&[b'x'; 100]).is_some() && events.push(b"x").is_none());
        let mut events = Events::new(100);
        for _ in 0..8 {
            assert!(events.push(b"data: 123456789\n").is_some());
        }
        assert!(events.push(b"data: 1234567890123456\n").is_none());
        // Its twin: as many bytes, in several events.
        let mut events = Events::new(100);
        for _ in 0..100 {
            assert_eq!(events.push(b"data: 123456789\n\n").map(texts), Some(vec!["123456789".to_owned()]));
        }
    }

    #[test]
    fn a_place_to_go_on_from_is_one_that_can_be_sent() {
        let after = |stream: &[u8]| {
            let mut events = Events::new(100_000);
            events.push(stream).expect("it is small");
            (events.restart(), events.retry())
        };
        assert_eq!(after(b"data: x\n\n"), (None, RETRY));
        assert_eq!(after(b"id: 7\n"), (None, RETRY), "the event has not ended");
        assert_eq!(after(b"id: 7\nretry: 5000\ndata:\n\n"), (Some(b"7".to_vec()), Duration::from_secs(5)));
        assert_eq!(after(b"id: 7\n\nid\n\n").0, None);
        assert_eq!(after(b"id: 7\n\nid: a\0b\n\n").0, Some(b"7".to_vec()));
        assert_eq!(after(format!("id: 7\n\nid: {}\n\n", "x".repeat(ID + 1)).as_bytes()).0, None);
        for (retry, wait) in [("99999999999999", RETRY_MOST), ("0", RETRY_LEAST), ("-1", RETRY), ("x", RETRY), ("", RETRY)] {
            assert_eq!(after(format!("retry: {retry}\n\n").as_bytes()).1, wait, "{retry}");
        }
    }
}
