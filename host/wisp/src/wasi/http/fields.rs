//! `wasi:http/types`: headers and trailers.

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};
use wasmtime::component::Resource;

use super::super::bindings::wasi::http::types::{HeaderError, HostFields};
use super::super::{Charge, Charged, Held, HostMemory, NoMemory, Weigh};
use super::HttpView;
use wisp_net::{check_name, check_value, header_allowed};

/// Maximum headers of a message, and the maximum they may cost. Attack: a guest that keeps its data on the host's side,
/// charged or not. Real messages use a tenth.
const MAX_FIELDS: usize = 512;
const MAX_COST: u64 = 384 << 10;

/// Headers or trailers that the host holds for a guest.
pub struct Fields {
    map: Charged<HeaderMap>,
    mutable: bool,
}

impl Held for Fields {
    const CHARGED: &'static str = "the map is `Charged`";
}

impl Fields {
    /// Creates the headers of a message, which can only be read.
    ///
    /// # Errors
    /// If there is no room for them.
    pub(super) fn read_only(map: HeaderMap, memory: &Arc<dyn HostMemory>) -> Result<Self, NoMemory> {
        Ok(Self { map: Charged::new(memory, map)?, mutable: false })
    }

    /// Creates headers that can be changed.
    ///
    /// # Errors
    /// Those of [`Fields::read_only`].
    fn mutable(map: HeaderMap, memory: &Arc<dyn HostMemory>) -> Result<Self, NoMemory> {
        Ok(Self { map: Charged::new(memory, map)?, mutable: true })
    }

    /// Returns the headers.
    pub(super) fn map(&self) -> &HeaderMap {
        &self.map
    }

    /// Splits them into the headers and the charge, which must live as long as the headers.
    pub(super) fn split(self) -> (HeaderMap, Charge) {
        self.map.split()
    }

    /// Changes the headers, unless the result is too large.
    fn change(&mut self, change: impl FnOnce(&mut HeaderMap)) -> Result<(), HeaderError> {
        if !self.mutable {
            return Err(HeaderError::Immutable);
        }
        let mut map = self.map.clone();
        change(&mut map);
        let fits = map.len() <= MAX_FIELDS && map.weight() <= MAX_COST;
        if fits && self.map.replace(map).is_ok() { Ok(()) } else { Err(HeaderError::Forbidden) }
    }
}

fn name(text: &str) -> Result<HeaderName, HeaderError> {
    let name = check_name(text).ok_or(HeaderError::InvalidSyntax)?;
    if header_allowed(name.as_str()) { Ok(name) } else { Err(HeaderError::Forbidden) }
}

fn value(bytes: &[u8]) -> Result<HeaderValue, HeaderError> {
    check_value(bytes).ok_or(HeaderError::InvalidSyntax)
}

type Answer<T> = wasmtime::Result<Result<T, HeaderError>>;

impl HostFields for HttpView<'_> {
    fn new(&mut self) -> wasmtime::Result<Resource<Fields>> {
        let fields = Fields::mutable(HeaderMap::new(), self.memory)?;
        self.table.push(fields)
    }

    fn from_list(&mut self, entries: Vec<(String, Vec<u8>)>) -> Answer<Resource<Fields>> {
        let mut map = HeaderMap::new();
        for (key, bytes) in entries {
            let (key, bytes) = match (name(&key), value(&bytes)) {
                (Ok(key), Ok(bytes)) => (key, bytes),
                (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
            };
            if map.len() > MAX_FIELDS {
                return Ok(Err(HeaderError::Forbidden));
            }
            map.append(key, bytes);
        }
        let mut fields = Fields::mutable(HeaderMap::new(), self.memory)?;
        match fields.change(|empty| *empty = map) {
            Ok(()) => Ok(Ok(self.table.push(fields)?)),
            Err(error) => Ok(Err(error)),
        }
    }

    fn get(&mut self, fields: Resource<Fields>, key: String) -> wasmtime::Result<Vec<Vec<u8>>> {
        let fields = self.table.get(&fields)?;
        let Some(key) = check_name(&key) else { return Ok(Vec::new()) };
        Ok(fields.map.get_all(key).iter().map(|value| value.as_bytes().to_vec()).collect())
    }

    fn has(&mut self, fields: Resource<Fields>, key: String) -> wasmtime::Result<bool> {
        let fields = self.table.get(&fields)?;
        Ok(check_name(&key).is_some_and(|key| fields.map.contains_key(key)))
    }

    fn set(&mut self, fields: Resource<Fields>, key: String, values: Vec<Vec<u8>>) -> Answer<()> {
        let fields = self.table.get_mut(&fields)?;
        let key = match name(&key) {
            Ok(key) => key,
            Err(error) => return Ok(Err(error)),
        };
        if values.len() > MAX_FIELDS {
            return Ok(Err(HeaderError::Forbidden));
        }
        let values: Result<Vec<_>, _> = values.iter().map(|bytes| value(bytes)).collect();
        Ok(values.and_then(|values| {
            fields.change(|map| {
                map.remove(&key);
                for value in values {
                    map.append(key.clone(), value);
                }
            })
        }))
    }

    fn delete(&mut self, fields: Resource<Fields>, key: String) -> Answer<()> {
        let fields = self.table.get_mut(&fields)?;
        Ok(name(&key).and_then(|key| fields.change(|map| drop(map.remove(key)))))
    }

    fn append(&mut self, fields: Resource<Fields>, key: String, bytes: Vec<u8>) -> Answer<()> {
        let fields = self.table.get_mut(&fields)?;
        let entry = name(&key).and_then(|key| Ok((key, value(&bytes)?)));
        Ok(entry.and_then(|(key, value)| {
            fields.change(|map| {
                map.append(key, value);
            })
        }))
    }

    fn entries(&mut self, fields: Resource<Fields>) -> wasmtime::Result<Vec<(String, Vec<u8>)>> {
        let fields = self.table.get(&fields)?;
        Ok(fields.map.iter().map(|(key, value)| (key.as_str().to_owned(), value.as_bytes().to_vec())).collect())
    }

    fn clone(&mut self, fields: Resource<Fields>) -> wasmtime::Result<Resource<Fields>> {
        let map = self.table.get(&fields)?.map().clone();
        let copy = Fields::mutable(map, self.memory)?;
        self.table.push(copy)
    }

    fn drop(&mut self, fields: Resource<Fields>) -> wasmtime::Result<()> {
        self.table.delete(fields)?;
        Ok(())
    }
}
