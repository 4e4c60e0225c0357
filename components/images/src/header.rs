//! The markers of a JPEG before its pixels: its size, and what its samples mean.

use crate::command::beginning;

/// What the samples of a JPEG mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    Gray,
    Rgb,
    Ycbcr,
    Cmyk,
    Ycck,
}

impl Stored {
    /// Returns the number of samples of a pixel.
    pub(crate) const fn channels(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::Rgb | Self::Ycbcr => 3,
            Self::Cmyk | Self::Ycck => 4,
        }
    }
}

/// A marker with its segment.
struct Segment<'a> {
    /// Where the marker begins.
    start: usize,
    code: u8,
    data: &'a [u8],
}

/// The segments of a file. What belongs to none is skipped, as libjpeg does; so are the pixels after a scan's header.
struct Segments<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Segments<'a> {
    type Item = Segment<'a>;

    fn next(&mut self) -> Option<Segment<'a>> {
        loop {
            let start = self.at;
            let &[marker, code] = self.bytes.get(start..start + 2)? else { return None };
            if marker != 0xff || matches!(code, 0 | 0xff) {
                self.at += 1;
                continue;
            }
            self.at += 2;
            match code {
                0x01 | 0xd0..=0xd8 => continue,
                0xd9 => return None,
                _ => {}
            }
            let &[high, low] = self.bytes.get(start + 2..start + 4)? else { return None };
            let length = usize::from(u16::from_be_bytes([high, low])).max(2);
            self.at += length;
            return Some(Segment { start, code, data: self.bytes.get(start + 4..self.at)? });
        }
    }
}

/// The code of the header of a scan, which pixels follow.
const SCAN: u8 = 0xda;

/// Returns where the scans of a file begin.
pub(crate) fn scans(bytes: &[u8]) -> Vec<usize> {
    Segments { bytes, at: 2 }.filter(|segment| segment.code == SCAN).map(|segment| segment.start).collect()
}

/// What the markers say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) progressive: bool,
    /// The identifiers of the components.
    pub(crate) components: Vec<u8>,
    /// The largest factors of sampling, across and down.
    sampling: (u8, u8),
    jfif: bool,
    /// The transform that Adobe's marker names.
    adobe: Option<u8>,
}

impl Header {
    /// Reads the markers up to the first scan.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        if !bytes.starts_with(b"\xff\xd8") {
            return Err(format!("not a JPEG file: {}", beginning(bytes)));
        }
        let mut header = Self::default();
        for segment in (Segments { bytes, at: 2 }).take_while(|segment| segment.code != SCAN) {
            header.take(segment.code, segment.data);
        }
        if header.components.is_empty() {
            return Err("a JPEG file without a picture: it has no frame header (SOF)".into());
        }
        Ok(header)
    }

    fn take(&mut self, code: u8, segment: &[u8]) {
        match (code, segment) {
            (0xe0, [b'J', b'F', b'I', b'F', 0, ..]) => self.jfif = true,
            (0xee, [b'A', b'd', b'o', b'b', b'e', _, _, _, _, _, _, transform, ..]) => self.adobe = Some(*transform),
            // Huffman tables, an extension and arithmetic conditions stand among the frame headers.
            (0xc4 | 0xc8 | 0xcc, _) => {}
            (0xc0..=0xcf, [_, h0, h1, w0, w1, count, components @ ..]) => {
                self.height = u16::from_be_bytes([*h0, *h1]);
                self.width = u16::from_be_bytes([*w0, *w1]);
                self.progressive = code == 0xc2;
                let components = components.chunks_exact(3).take(usize::from(*count));
                self.sampling = components.clone().fold((1, 1), |most, one| (most.0.max(one[1] >> 4), most.1.max(one[1] & 15)));
                self.components = components.map(|component| component[0]).collect();
            }
            _ => {}
        }
    }

    /// Returns the pixels of the blocks that belong together, across and down: a single component has no others beside it.
    pub(crate) fn unit(&self) -> (usize, usize) {
        let (across, down) = if self.components.len() == 1 { (1, 1) } else { self.sampling };
        (8 * usize::from(across), 8 * usize::from(down))
    }

    /// Returns what the samples mean, by the rules of libjpeg. None for a number of components that no picture has.
    pub(crate) fn stored(&self) -> Option<Stored> {
        Some(match (self.components.as_slice(), self.adobe) {
            ([_], _) => Stored::Gray,
            ([_, _, _], _) if self.jfif => Stored::Ycbcr,
            ([_, _, _], Some(0)) | ([b'R', b'G', b'B'], None) => Stored::Rgb,
            ([_, _, _], _) => Stored::Ycbcr,
            ([_, _, _, _], Some(2)) => Stored::Ycck,
            ([_, _, _, _], _) => Stored::Cmyk,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(segments: &[(u8, &[u8])]) -> Vec<u8> {
        let mut bytes = b"\xff\xd8".to_vec();
        for (code, segment) in segments {
            bytes.extend([0xff, *code]);
            bytes.extend((segment.len() as u16 + 2).to_be_bytes());
            bytes.extend(*segment);
        }
        bytes
    }

    const JFIF: (u8, &[u8]) = (0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    const THREE: (u8, &[u8]) = (0xc2, b"\x08\0\x10\x01\0\x03\x01\x22\0\x02\x11\x01\x03\x11\x01");
    const NAMED: (u8, &[u8]) = (0xc0, b"\x08\0\x10\x01\0\x03R\x11\0G\x11\0B\x11\0");
    const FOUR: (u8, &[u8]) = (0xc0, b"\x08\0\x10\x01\0\x04\x01\x11\0\x02\x11\0\x03\x11\0\x04\x11\0");

    fn adobe(transform: u8) -> Vec<u8> {
        [b"Adobe\0\x64\0\0\0\0".as_slice(), &[transform]].concat()
    }

    #[test]
    fn the_size_is_found() {
        let header = Header::read(&file(&[JFIF, (0xc4, b"tables"), THREE])).unwrap();
        assert_eq!((header.unit(), header.progressive), ((16, 16), true));
        assert_eq!((header.width, header.height, header.components), (256, 16, vec![1, 2, 3]));
    }

    #[test]
    fn colours_follow_the_markers() {
        let stored = |segments: &[(u8, &[u8])]| Header::read(&file(segments)).unwrap().stored();
        assert_eq!(stored(&[JFIF, THREE]), Some(Stored::Ycbcr));
        assert_eq!(stored(&[THREE]), Some(Stored::Ycbcr));
        assert_eq!(stored(&[NAMED]), Some(Stored::Rgb));
        assert_eq!(stored(&[JFIF, NAMED]), Some(Stored::Ycbcr));
        assert_eq!(stored(&[(0xee, &adobe(0)), THREE]), Some(Stored::Rgb));
        assert_eq!(stored(&[(0xee, &adobe(1)), NAMED]), Some(Stored::Ycbcr));
        assert_eq!(stored(&[FOUR]), Some(Stored::Cmyk));
        assert_eq!(stored(&[(0xee, &adobe(2)), FOUR]), Some(Stored::Ycck));
        assert_eq!(stored(&[(0xc0, b"\x08\0\x10\x01\0\x01\x01\x11\0")]), Some(Stored::Gray));
        assert_eq!(stored(&[(0xc0, b"\x08\0\x10\x01\0\x02\x01\x11\0\x02\x11\0")]), None);
    }

    #[test]
    fn scans_are_found_behind_pixels() {
        let bytes = b"\xff\xd8\xff\xda\0\x03aabc\xff\0\xda\xff\xd0\xff\xff\xda\0\x02x\xff\xd9\xff\xda\0\x02";
        assert_eq!(scans(bytes), [2, 16]);
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(Header::read(b"hello"), Err("not a JPEG file: it starts with 0x68 0x65".into()));
        for bytes in
            [&b"\xff\xd8"[..], b"\xff\xd8\xff", b"\xff\xd8\xff\xc0", b"\xff\xd8\xff\xc0\0\xff\0", b"\xff\xd8\xff\xd9", &file(&[JFIF])]
        {
            assert!(Header::read(bytes).is_err_and(|message| message.contains("no frame header")));
        }
    }
}
