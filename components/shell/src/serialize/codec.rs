//! Fields as bytes: a name, then numbers of eight bytes and texts after their length.

use super::Refused;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A value that can be written and read.
pub(super) trait Field: Sized {
    fn write(&self, out: &mut Writer);
    /// Reads a value.
    ///
    /// # Errors
    /// The bytes end early, or no such value is possible.
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused>;
}

/// Writes fields.
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn new(magic: &[u8]) -> Self {
        Self(magic.to_vec())
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Writes a field under its name.
    pub(super) fn field<T: Field>(&mut self, name: &str, value: &T) {
        self.bytes(name.as_bytes());
        value.write(self);
    }

    pub(super) fn number(&mut self, number: i64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as i64);
        self.0.extend_from_slice(bytes);
    }

    /// Writes a list: its length, then its items.
    pub(super) fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, write: impl Fn(&mut Self, T)) {
        self.number(items.len() as i64);
        for item in items {
            write(self, item);
        }
    }
}

/// Reads fields.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    /// The field being read, for errors.
    name: &'static str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(fields: &'a [u8]) -> Self {
        Reader { rest: fields, name: "" }
    }

    /// Reads the field with this name, which has to be the next.
    pub(super) fn field<T: Field>(&mut self, name: &'static str) -> Result<T, Refused> {
        self.expect(name)?;
        T::read(self)
    }

    fn expect(&mut self, name: &'static str) -> Result<(), Refused> {
        self.name = name;
        let found = self.bytes()?;
        if found == name.as_bytes() {
            return Ok(());
        }
        Err(Refused(format!("field `{name}` expected, `{}` found", String::from_utf8_lossy(found))))
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Result<(), Refused> {
        if self.rest.is_empty() { Ok(()) } else { Err(Refused(format!("there are bytes after field `{}`", self.name))) }
    }

    /// Returns the error for a value that a field cannot have.
    pub(super) fn impossible(&self) -> Refused {
        Refused(format!("field `{}` has an impossible value", self.name))
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Refused> {
        let (head, rest) = self.rest.split_at_checked(len).ok_or_else(|| Refused(format!("it ends within field `{}`", self.name)))?;
        self.rest = rest;
        Ok(head)
    }

    pub(super) fn number(&mut self) -> Result<i64, Refused> {
        let mut number = [0; 8];
        number.copy_from_slice(self.take(8)?);
        Ok(i64::from_le_bytes(number))
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Refused> {
        let len = usize::try_from(self.number()?).map_err(|_| self.impossible())?;
        self.take(len)
    }

    /// Reads a list, item by item.
    pub(super) fn list<T>(&mut self, read: impl Fn(&mut Self) -> Result<T, Refused>) -> Result<Vec<T>, Refused> {
        let count = u32::read(self)?;
        (0..count).map(|_| read(self)).collect()
    }
}

macro_rules! numbers {
    ($($type:ident)*) => {
        $(impl Field for $type {
            fn write(&self, out: &mut Writer) {
                out.number(i64::from(*self));
            }
            fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
                $type::try_from(input.number()?).map_err(|_| input.impossible())
            }
        })*
    };
}

numbers! { i32 i64 u16 u32 }

/// Sets of bits use all 64.
impl Field for u64 {
    fn write(&self, out: &mut Writer) {
        out.number(self.cast_signed());
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(input.number()?.cast_unsigned())
    }
}

impl Field for bool {
    fn write(&self, out: &mut Writer) {
        out.number(i64::from(*self));
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        match input.number()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(input.impossible()),
        }
    }
}

impl Field for Vec<u8> {
    fn write(&self, out: &mut Writer) {
        out.bytes(self);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        input.bytes().map(<[u8]>::to_vec)
    }
}

impl Field for Rc<[u8]> {
    fn write(&self, out: &mut Writer) {
        out.bytes(self);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        input.bytes().map(Self::from)
    }
}

impl Field for String {
    fn write(&self, out: &mut Writer) {
        out.bytes(self.as_bytes());
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Self::from_utf8(Vec::read(input)?).map_err(|_| input.impossible())
    }
}

impl<T: Field> Field for Rc<T> {
    fn write(&self, out: &mut Writer) {
        (**self).write(out);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        T::read(input).map(Self::new)
    }
}

impl<T: Field> Field for Option<T> {
    fn write(&self, out: &mut Writer) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        if bool::read(input)? { T::read(input).map(Some) } else { Ok(None) }
    }
}

impl<T: Field> Field for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.list(self.iter(), |out, item| item.write(out));
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        input.list(T::read)
    }
}

impl<A: Field, B: Field> Field for (A, B) {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
        self.1.write(out);
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok((A::read(input)?, B::read(input)?))
    }
}

impl<K: Field + Eq + std::hash::Hash, V: Field> Field for HashMap<K, V> {
    fn write(&self, out: &mut Writer) {
        out.list(self.iter(), |out, (key, value)| {
            key.write(out);
            value.write(out);
        });
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(input.list(<(K, V)>::read)?.into_iter().collect())
    }
}

impl<K: Field + Ord, V: Field> Field for BTreeMap<K, V> {
    fn write(&self, out: &mut Writer) {
        out.list(self.iter(), |out, (key, value)| {
            key.write(out);
            value.write(out);
        });
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, Refused> {
        Ok(input.list(<(K, V)>::read)?.into_iter().collect())
    }
}
