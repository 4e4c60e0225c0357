//! The traditional encryption of zip (APPNOTE 6.1). It protects from a glance, not from an attacker, and is what `-P` means.

use std::io::{Error, ErrorKind, Read, Result, Write};

/// Bytes before the data of an encrypted entry.
pub(super) const HEADER: usize = 12;

/// The checksums of one byte, as CRC-32 has them.
const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let (mut value, mut bit) = (at as u32, 0);
        while bit < 8 {
            value = if value & 1 == 0 { value >> 1 } else { value >> 1 ^ 0xedb8_8320 };
            bit += 1;
        }
        table[at] = value;
        at += 1;
    }
    table
}

fn next_crc(crc: u32, byte: u8) -> u32 {
    TABLE[usize::from(crc as u8 ^ byte)] ^ crc >> 8
}

/// The state of the cipher.
struct Keys([u32; 3]);

impl Keys {
    fn new(password: &[u8]) -> Self {
        let mut keys = Self([0x1234_5678, 0x2345_6789, 0x3456_7890]);
        password.iter().for_each(|byte| keys.update(*byte));
        keys
    }

    fn update(&mut self, plain: u8) {
        let [a, b, c] = &mut self.0;
        *a = next_crc(*a, plain);
        *b = b.wrapping_add(*a & 0xff).wrapping_mul(134_775_813).wrapping_add(1);
        *c = next_crc(*c, (*b >> 24) as u8);
    }

    fn stream(&self) -> u8 {
        let value = self.0[2] | 2;
        (value.wrapping_mul(value ^ 1) >> 8) as u8
    }

    fn decrypt(&mut self, byte: u8) -> u8 {
        let plain = byte ^ self.stream();
        self.update(plain);
        plain
    }

    fn encrypt(&mut self, plain: u8) -> u8 {
        let byte = plain ^ self.stream();
        self.update(plain);
        byte
    }
}

/// Reads what is encrypted.
pub(super) struct Decrypter<R> {
    inner: R,
    keys: Keys,
}

impl<R: Read> Decrypter<R> {
    /// Reads the header of an entry. `check` is its last byte, which a wrong password gives once in 256 times; otherwise the error is
    /// `InvalidInput`.
    pub(super) fn new(mut inner: R, password: &[u8], check: u8) -> Result<Self> {
        let mut header = [0; HEADER];
        inner.read_exact(&mut header)?;
        let mut keys = Keys::new(password);
        let last = header.iter().fold(0, |_, byte| keys.decrypt(*byte));
        if last == check { Ok(Self { inner, keys }) } else { Err(Error::new(ErrorKind::InvalidInput, "incorrect password")) }
    }
}

impl<R: Read> Read for Decrypter<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        out[..count].iter_mut().for_each(|byte| *byte = self.keys.decrypt(*byte));
        Ok(count)
    }
}

/// Encrypts what is written.
pub(super) struct Encrypter<W> {
    inner: W,
    keys: Keys,
    buffer: Vec<u8>,
}

impl<W: Write> Encrypter<W> {
    /// Writes the header of an entry: these bytes, which should be random, but for the last.
    pub(super) fn new(inner: W, password: &[u8], random: [u8; HEADER - 1], check: u8) -> Result<Self> {
        let mut sealed = Self { inner, keys: Keys::new(password), buffer: Vec::new() };
        sealed.write_all(&random)?;
        sealed.write_all(&[check])?;
        Ok(sealed)
    }
}

impl<W: Write> Write for Encrypter<W> {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.buffer.clear();
        self.buffer.extend(data.iter().map(|byte| self.keys.encrypt(*byte)));
        self.inner.write_all(&self.buffer)?;
        Ok(data.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_info_zip_encrypted_is_read() {
        let sealed = b"\xac\x54\x3b\x68\x23\xe2\x6d\x1f\xa6\xd4\x59\x10\xbb\x43\x92\xaf\x91";
        let mut text = String::new();
        Decrypter::new(&sealed[..], b"secret", 0xa1).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "tiny\n");
    }

    #[test]
    fn what_was_encrypted_returns() {
        let mut sealed = Encrypter::new(Vec::new(), b"secret", [7; HEADER - 1], 42).unwrap();
        sealed.write_all(b"some ").unwrap();
        sealed.write_all(b"text").unwrap();
        let bytes = sealed.inner;
        assert_eq!(bytes.len(), HEADER + 9);
        let mut text = String::new();
        Decrypter::new(&bytes[..], b"secret", 42).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "some text");
        assert!(Decrypter::new(&bytes[..], b"Secret", 42).is_err() && Decrypter::new(&bytes[..5], b"secret", 42).is_err());
    }
}
