//! Modules: where they are searched for, and what an `import` brings.

use super::compile::{Binding, Compiler};
use super::tree::{Import, Source};
use super::{Mistake, parse};
use crate::json::{Map, Val, parse_all};
use std::path::{Path, PathBuf};

/// Where modules come from.
pub(crate) struct Library {
    /// The folders of `-L`, or the usual ones.
    pub paths: Vec<String>,
    /// The folder of the main program.
    pub origin: PathBuf,
    /// The folder of jq itself.
    pub program: PathBuf,
}

/// Expands `~/x`, with the home directory in place.
pub(super) fn expand_home(path: &str) -> String {
    match (path.strip_prefix('~'), std::env::var("HOME")) {
        (Some(rest), Ok(home)) if rest.is_empty() || rest.starts_with('/') => home + rest,
        _ => path.to_owned(),
    }
}

impl Library {
    /// Returns the folders to look in for one import of a file in `folder`.
    fn folders(&self, import_search: Option<&Val>, folder: &Path) -> Vec<PathBuf> {
        let own = match import_search {
            Some(Val::Str(path)) => vec![path.as_str().to_owned()],
            Some(Val::Arr(list)) => list.0.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect(),
            _ => Vec::new(),
        };
        let own = own.into_iter().filter(|p| !p.is_empty()).map(|p| folder.join(expand_home(&p)));
        let usual = self.paths.iter().map(|path| match path.strip_prefix("$ORIGIN") {
            Some(rest) => self.program.join(rest.trim_start_matches('/')),
            None => PathBuf::from(expand_home(path)),
        });
        own.chain(usual).collect()
    }

    /// Finds the file of an import.
    fn find(&self, import: &Import, folder: &Path) -> Result<PathBuf, Mistake> {
        let search = import.meta.as_ref().and_then(|m| match m {
            Val::Obj(fields) => fields.0.get(&"search".to_owned()),
            _ => None,
        });
        let plain = |message: String| Mistake { message: message + "\n", at: None, note: None };
        if import.path.contains('\0') || import.path.split('/').any(|part| part == "..") {
            return Err(plain(format!("invalid module path: {}", import.path.replace('\0', "\\u0000"))));
        }
        let ending = if import.data { "json" } else { "jq" };
        for folder in self.folders(search, folder) {
            let last = import.path.rsplit('/').next().unwrap_or_default();
            let file = folder.join(format!("{}.{ending}", import.path));
            let inside = folder.join(&import.path).join(format!("{last}.{ending}"));
            if let Some(found) = [file, inside].into_iter().find(|f| f.is_file()) {
                return Ok(found);
            }
        }
        Err(plain(format!("module not found: {}", import.path)))
    }

    /// Implements `modulemeta`: returns a module's metadata with its imports and definitions.
    pub(crate) fn describe(&self, name: &str) -> Result<Val, String> {
        let import = Import { path: name.to_owned(), name: None, data: false, meta: None };
        let file = self.find(&import, &self.origin).map_err(|m| m.message.trim_end().to_owned())?;
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let source = parse::parse(&text).map_err(|m| m.message)?;
        let mut map = match source.module {
            Some(Val::Obj(fields)) => fields.0.clone(),
            _ => Map::default(),
        };
        let dep = |import: &Import| {
            let mut fields = match &import.meta {
                Some(Val::Obj(fields)) => fields.0.clone(),
                _ => Map::default(),
            };
            let mut put = |key: &str, val: Val| drop(fields.insert(std::rc::Rc::new(key.to_owned()), val));
            if let Some(name) = &import.name {
                put("as", Val::str(name.clone()));
            }
            put("is_data", Val::Bool(import.data));
            put("relpath", Val::str(import.path.clone()));
            Val::obj(fields)
        };
        let deps = source.imports.iter().map(dep).collect();
        let defs = source.functions.iter().map(|f| Val::str(format!("{}/{}", f.name, f.params.len()))).collect();
        map.insert(std::rc::Rc::new("deps".into()), Val::arr(deps));
        map.insert(std::rc::Rc::new("defs".into()), Val::arr(defs));
        Ok(Val::obj(map))
    }
}

impl Compiler<'_> {
    /// Brings in what a file imports. `open` are the files that are being read.
    pub(super) fn imports(&mut self, source: &Source, folder: &Path, open: &mut Vec<PathBuf>) -> Result<(), Mistake> {
        for import in &source.imports {
            let file = self.library.find(import, folder)?;
            let plain = |message: String| Mistake { message, at: None, note: None };
            let bytes = std::fs::read(&file).map_err(|e| plain(format!("Could not open {}: {e}", file.display())))?;
            if import.data {
                let values = parse_all(&bytes).map_err(|e| plain(format!("{}: {e}", file.display())))?;
                let name = import.name.clone().unwrap_or_default();
                self.scope.push(Binding::Data(format!("{name}::{name}"), Val::arr(values.clone())));
                self.scope.push(Binding::Data(name, Val::arr(values)));
                continue;
            }
            if open.contains(&file) {
                return Err(plain(format!("circular import of {}", file.display())));
            }
            open.push(file.clone());
            self.module(&String::from_utf8_lossy(&bytes), &file, import.name.as_deref(), open)?;
            open.pop();
        }
        Ok(())
    }

    /// Defines a module's functions, with `name::` before them unless it is included.
    fn module(&mut self, text: &str, file: &Path, name: Option<&str>, open: &mut Vec<PathBuf>) -> Result<(), Mistake> {
        let shown = file.display().to_string();
        let located =
            |mistake: &Mistake| Mistake { message: mistake.show(&shown, text).replacen("jq: error: ", "", 1), at: None, note: None };
        let source = parse::parse(text).map_err(|m| located(&m))?;
        if source.main.is_some() {
            return Err(Mistake {
                message: format!("library should only have function definitions, not a main expression: {shown}"),
                at: None,
                note: None,
            });
        }
        // A module sees its own imports and functions only.
        let outer = std::mem::take(&mut self.scope);
        let before = self.mistakes.len();
        self.imports(&source, file.parent().unwrap_or(Path::new(".")), open)?;
        let own = self.scope.len();
        for function in &source.functions {
            self.function(function);
        }
        if let Some(mistake) = self.mistakes.get(before) {
            return Err(located(mistake));
        }
        let defined = self.scope.split_off(own);
        self.scope = outer;
        for binding in defined {
            if let Binding::Func(function, def, level) = binding {
                let function = name.map_or(function.clone(), |name| format!("{name}::{function}"));
                self.scope.push(Binding::Func(function, def, level));
            }
        }
        Ok(())
    }

    /// Adds `~/.jq`, which is part of every program if it is a file.
    pub(super) fn home(&mut self) -> Result<(), Mistake> {
        let file = PathBuf::from(expand_home("~/.jq"));
        if !file.is_file() {
            return Ok(());
        }
        let text =
            std::fs::read_to_string(&file).map_err(|e| Mistake { message: format!("{}: {e}", file.display()), at: None, note: None })?;
        self.module(&text, &file, None, &mut vec![file.clone()])
    }
}
