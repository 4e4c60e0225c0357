//! A filesystem as simple as possible, to compare the real one with: no sharing, no quota, no permissions, no
//! optimisation.

use std::collections::BTreeMap;

use wisp_vfs::FsError;

pub(crate) type Id = usize;
pub(crate) const ROOT: Id = 0;

#[derive(Clone, Debug)]
pub(crate) enum Body {
    File(Vec<u8>),
    Dir { names: BTreeMap<String, Id>, parent: Id },
    Link(String),
}

/// Files are never freed: one without a name or handle is just never accessed again.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) files: Vec<(Body, u64)>,
}

/// Where a path leads.
pub(crate) enum End {
    Dir(Id),
    Name { parent: Id, name: String, found: Option<Id> },
}

type Answer<T> = Result<T, FsError>;

impl Model {
    pub(crate) fn new() -> Self {
        Self { files: vec![(Body::Dir { names: BTreeMap::new(), parent: ROOT }, 1)] }
    }

    pub(crate) fn body(&self, id: Id) -> &Body {
        &self.files[id].0
    }

    pub(crate) fn links(&self, id: Id) -> u64 {
        self.files[id].1
    }

    pub(crate) fn names(&self, id: Id) -> Answer<&BTreeMap<String, Id>> {
        match self.body(id) {
            Body::Dir { names, .. } => Ok(names),
            _ => Err(FsError::NotDirectory),
        }
    }

    fn names_mut(&mut self, id: Id) -> &mut BTreeMap<String, Id> {
        match &mut self.files[id].0 {
            Body::Dir { names, .. } => names,
            _ => panic!("not a directory in the model"),
        }
    }

    fn parent(&self, id: Id) -> Id {
        match self.body(id) {
            Body::Dir { parent, .. } => *parent,
            _ => panic!("not a directory in the model"),
        }
    }

    pub(crate) fn is_dir(&self, id: Id) -> bool {
        matches!(self.body(id), Body::Dir { .. })
    }

    /// Walks a path. The second part of the result says whether it ends in `/`.
    pub(crate) fn walk(&self, path: &str, follow: bool) -> Answer<(End, bool)> {
        self.walk_from(ROOT, path, follow, &mut 0)
    }

    fn walk_from(&self, from: Id, path: &str, follow: bool, links: &mut u32) -> Answer<(End, bool)> {
        if path.is_empty() {
            return Err(FsError::NotFound);
        }
        let slash = path.ends_with('/');
        let mut at = if path.starts_with('/') { ROOT } else { from };
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        for (index, part) in parts.iter().enumerate() {
            let last = index + 1 == parts.len();
            let names = self.names(at)?;
            match *part {
                "." => continue,
                ".." => {
                    at = self.parent(at);
                    continue;
                }
                _ => {}
            }
            let Some(&id) = names.get(*part) else {
                if last {
                    return Ok((End::Name { parent: at, name: (*part).to_owned(), found: None }, slash));
                }
                return Err(FsError::NotFound);
            };
            if let Body::Link(target) = self.body(id)
                && (!last || follow || slash)
            {
                *links += 1;
                if *links > 40 {
                    return Err(FsError::Loop);
                }
                // Where it leads; the rest of the path continues from there.
                let (end, link_slash) = self.walk_from(at, target, true, links)?;
                if last {
                    return Ok((end, slash || link_slash));
                }
                at = match end {
                    End::Dir(id) => id,
                    End::Name { found: None, .. } => return Err(FsError::NotFound),
                    End::Name { found: Some(id), .. } => id,
                };
                continue;
            }
            if last {
                return Ok((End::Name { parent: at, name: (*part).to_owned(), found: Some(id) }, slash));
            }
            at = id;
        }
        self.names(at)?;
        Ok((End::Dir(at), true))
    }

    fn add(&mut self, parent: Id, name: &str, body: Body) -> Id {
        self.files.push((body, 1));
        let id = self.files.len() - 1;
        self.names_mut(parent).insert(name.to_owned(), id);
        id
    }

    pub(crate) fn open(&mut self, path: &str, how: wisp_vfs::OpenHow) -> Answer<Id> {
        let fresh = how.create && how.exclusive;
        let (end, slash) = self.walk(path, how.follow && !fresh)?;
        let id = match end {
            End::Name { found: None, .. } if !how.create => return Err(FsError::NotFound),
            End::Name { found: None, .. } if slash => return Err(FsError::IsDirectory),
            End::Name { parent, name, found: None } => return Ok(self.add(parent, &name, Body::File(Vec::new()))),
            _ if fresh => return Err(FsError::Exists),
            End::Dir(id) | End::Name { found: Some(id), .. } => id,
        };
        match &mut self.files[id].0 {
            Body::Link(_) => Err(FsError::Loop),
            Body::Dir { .. } if how.write || how.create || how.truncate => Err(FsError::IsDirectory),
            Body::Dir { .. } => Ok(id),
            Body::File(_) if slash => Err(FsError::NotDirectory),
            Body::File(bytes) => {
                if how.truncate {
                    bytes.clear();
                }
                Ok(id)
            }
        }
    }

    pub(crate) fn mkdir(&mut self, path: &str) -> Answer<()> {
        match self.walk(path, false)?.0 {
            End::Name { parent, name, found: None } => {
                self.add(parent, &name, Body::Dir { names: BTreeMap::new(), parent });
                Ok(())
            }
            _ => Err(FsError::Exists),
        }
    }

    pub(crate) fn symlink(&mut self, path: &str, target: &str) -> Answer<()> {
        if target.is_empty() {
            return Err(FsError::NotFound);
        }
        match self.walk(path, false)? {
            (End::Name { found: None, .. }, true) => Err(FsError::NotFound),
            (End::Name { parent, name, found: None }, false) => {
                self.add(parent, &name, Body::Link(target.to_owned()));
                Ok(())
            }
            _ => Err(FsError::Exists),
        }
    }

    pub(crate) fn remove(&mut self, path: &str, directory: bool) -> Answer<()> {
        let (End::Name { parent, name, found }, slash) = self.walk(path, false)? else {
            return Err(if directory { FsError::Invalid } else { FsError::IsDirectory });
        };
        let id = found.ok_or(FsError::NotFound)?;
        match (directory, self.names(id).map(BTreeMap::is_empty)) {
            (true, Err(_)) => return Err(FsError::NotDirectory),
            (true, Ok(false)) => return Err(FsError::NotEmpty),
            (false, Ok(_)) => return Err(FsError::IsDirectory),
            (false, Err(_)) if slash => return Err(FsError::NotDirectory),
            _ => {}
        }
        self.names_mut(parent).remove(&name);
        self.files[id].1 -= 1;
        Ok(())
    }

    pub(crate) fn link(&mut self, path: &str, follow: bool, new: &str) -> Answer<()> {
        let (End::Name { found, .. }, slash) = self.walk(path, follow)? else { return Err(FsError::NotPermitted) };
        let id = found.ok_or(FsError::NotFound)?;
        if self.is_dir(id) {
            return Err(FsError::NotPermitted);
        }
        if slash {
            return Err(FsError::NotDirectory);
        }
        match self.walk(new, false)? {
            (End::Name { found: None, .. }, true) => Err(FsError::NotFound),
            (End::Name { parent, name, found: None }, false) => {
                self.names_mut(parent).insert(name, id);
                self.files[id].1 += 1;
                Ok(())
            }
            _ => Err(FsError::Exists),
        }
    }

    pub(crate) fn rename(&mut self, path: &str, new: &str) -> Answer<()> {
        let (End::Name { parent: from, name: old_name, found }, slash) = self.walk(path, false)? else { return Err(FsError::Busy) };
        let id = found.ok_or(FsError::NotFound)?;
        let (End::Name { parent: to, name: new_name, found: over }, new_slash) = self.walk(new, false)? else { return Err(FsError::Busy) };
        if (slash || new_slash) && !self.is_dir(id) {
            return Err(FsError::NotDirectory);
        }
        if let Some(over) = over {
            match (self.is_dir(id), self.is_dir(over)) {
                (false, true) => return Err(FsError::IsDirectory),
                (true, false) => return Err(FsError::NotDirectory),
                _ if over == id => return Ok(()),
                (true, true) if !self.names(over)?.is_empty() => return Err(FsError::NotEmpty),
                _ => {}
            }
        }
        let mut up = to;
        while self.is_dir(id) && up != ROOT {
            if up == id {
                return Err(FsError::Invalid);
            }
            up = self.parent(up);
        }
        self.names_mut(from).remove(&old_name);
        self.names_mut(to).insert(new_name, id);
        if let Body::Dir { parent, .. } = &mut self.files[id].0 {
            *parent = to;
        }
        if let Some(over) = over {
            self.files[over].1 -= 1;
        }
        Ok(())
    }
}
