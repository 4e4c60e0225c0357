//! `wasi:http/types`: headers and trailers.

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};
use wasmtime::component::Resource;

use super::super::bindings::wasi::http::types::{HeaderError, HostFields};
use super::super::{Charge, HostMemory, WasiView};
use crate::net::{check_name, check_value, header_allowed};

/// Headers of a message at the most, and bytes of them. Attack: a guest that keeps its data on the host's side, charged or
/// not; real messages have a tenth.
const MAX_FIELDS: usize = 512;
const MAX_BYTES: usize = 256 << 10;

/// What an entry costs besides its text.
const ENTRY_COST: usize = 64;

/// Headers or trailers that the host holds for a guest.
pub struct Fields {
    pub(super) map: HeaderMap,
    mutable: bool,
    /// What holding them is charged.
    charge: Option<Charge>,
}

fn cost(map: &HeaderMap) -> usize {
    map.iter().map(|(name, value)| name.as_str().len() + value.len() + ENTRY_COST).sum()
}

impl Fields {
    /// Of a message, to be read; `None` when there is no room for them.
    pub(super) fn read_only(map: HeaderMap, memory: &Arc<dyn HostMemory>) -> Option<Fields> {
        let charge = Charge::new(memory, cost(&map) as u64)?;
        Some(Fields { map, mutable: false, charge: Some(charge) })
    }

    /// Change them. What is too large afterwards is not done.
    fn change(&mut self, memory: &Arc<dyn HostMemory>, change: impl FnOnce(&mut HeaderMap)) -> Result<(), HeaderError> {
        if !self.mutable {
            return Err(HeaderError::Immutable);
        }
        let before = self.map.clone();
        change(&mut self.map);
        let bytes = cost(&self.map);
        let fits = self.map.len() <= MAX_FIELDS && bytes <= MAX_BYTES;
        match fits.then(|| Charge::new(memory, bytes as u64)).flatten() {
            Some(charge) => {
                self.charge = Some(charge);
                Ok(())
            }
            None => {
                self.map = before;
                Err(HeaderError::Forbidden)
            }
        }
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

impl HostFields for WasiView<'_> {
    fn new(&mut self) -> wasmtime::Result<Resource<Fields>> {
        Ok(self.table.push(Fields { map: HeaderMap::new(), mutable: true, charge: None })?)
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
        let mut fields = Fields { map: HeaderMap::new(), mutable: true, charge: None };
        match fields.change(&self.ctx.memory, |empty| *empty = map) {
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
            fields.change(&self.ctx.memory, |map| {
                map.remove(&key);
                for value in values {
                    map.append(key.clone(), value);
                }
            })
        }))
    }

    fn delete(&mut self, fields: Resource<Fields>, key: String) -> Answer<()> {
        let fields = self.table.get_mut(&fields)?;
        Ok(name(&key).and_then(|key| fields.change(&self.ctx.memory, |map| drop(map.remove(key)))))
    }

    fn append(&mut self, fields: Resource<Fields>, key: String, bytes: Vec<u8>) -> Answer<()> {
        let fields = self.table.get_mut(&fields)?;
        let entry = name(&key).and_then(|key| Ok((key, value(&bytes)?)));
        Ok(entry.and_then(|(key, value)| {
            fields.change(&self.ctx.memory, |map| {
                map.append(key, value);
            })
        }))
    }

    fn entries(&mut self, fields: Resource<Fields>) -> wasmtime::Result<Vec<(String, Vec<u8>)>> {
        let fields = self.table.get(&fields)?;
        Ok(fields.map.iter().map(|(key, value)| (key.as_str().to_owned(), value.as_bytes().to_vec())).collect())
    }

    fn clone(&mut self, fields: Resource<Fields>) -> wasmtime::Result<Resource<Fields>> {
        let map = self.table.get(&fields)?.map.clone();
        let charge = Charge::new(&self.ctx.memory, cost(&map) as u64);
        let charge = charge.ok_or_else(|| wasmtime::format_err!("no memory for a copy of headers (limits.memory)"))?;
        Ok(self.table.push(Fields { map, mutable: true, charge: Some(charge) })?)
    }

    fn drop(&mut self, fields: Resource<Fields>) -> wasmtime::Result<()> {
        self.table.delete(fields)?;
        Ok(())
    }
}
