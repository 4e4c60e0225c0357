//! Checks a policy's custom tools without starting anything: what `wisp check` reports beyond the policy itself.

#![expect(clippy::disallowed_methods, reason = "the program that runs, which no mount may hold")]

use std::path::{Path, PathBuf};

use crate::policy_files::HostFiles;
use crate::program::adapters::subject;
use crate::program::error::SessionError;
use crate::program::own::code_file;
use crate::program::tool_file::{ToolFiles, Wanted};
use crate::runtime::default_folder;
use wisp_components::Components;
use wisp_policy::capability::Decision;
use wisp_policy::{CustomTool, Finding, Findings, Policy, PolicyErrors, ProtectedPath, components_of, quote};
use wisp_world::{Grants, ImportRow, Imports, WorldError, unversioned};

/// Checks that no writable mount of `policy` contains, or is inside, anything that this or a later run of wisp
/// executes: `cache`, the directory of machine code, the folder of the components, `images`, a folder of images in place of
/// the user's, that of the user, the running program, and the folder of the file with this library's code if that is another one.
///
/// # Errors
/// One finding for each mount and each thing that it holds.
pub fn check_mounts(policy: &Policy, cache: Option<&Path>, images: Option<&Path>, components: &Components) -> Result<(), PolicyErrors> {
    policy.check_protected(&HostFiles, &executed(cache, images, components))
}

/// Returns what this or a later run of wisp executes, whatever the policy: the places that [`check_mounts`] protects. No
/// guest may write there in any other way either.
pub fn executed(cache: Option<&Path>, images: Option<&Path>, components: &Components) -> Vec<ProtectedPath> {
    let guarded = |what: &str, path: PathBuf| ProtectedPath { what: what.to_owned(), path };
    let cache = cache.map(|path| guarded("wisp's cache of machine code", path.to_owned()));
    let components = components.folder().map(|path| guarded("wisp's components", path.to_owned()));
    // If the system does not say which program is running, there is nothing to check.
    let program = std::env::current_exe().ok();
    // A module of another program stands in a folder of its package, with files that are executed, too.
    let module = code_file().filter(|path| Some(path) != program.as_ref()).and_then(|path| path.parent().map(Path::to_owned));
    let module = module.map(|path| guarded("the package that runs this session", path));
    let program = program.map(|path| guarded("the program that runs this session", path));
    // Other programs of this user may use that of the user.
    let of_user = default_folder("images").filter(|path| images != Some(path.as_path()));
    let images = images.map(Path::to_owned).into_iter().chain(of_user).map(|path| guarded("wisp's images", path));
    cache.into_iter().chain(components).chain(images).chain(program).chain(module).collect()
}

/// Checks the policy's custom tools, and that its components in front of imports can be read. The findings are all the reasons for which a session would refuse one: files that
/// cannot be read, have another digest, or are not programs, imports that are refused, and names that would hide a
/// program of a shipped tool. Each finding has the line that asked for the tool.
///
/// Nothing is compiled and nothing runs. Returns the files that were read.
///
/// # Errors
/// All findings.
pub fn check_tools(components: &Components, policy: &Policy) -> Result<ToolFiles, PolicyErrors> {
    check_files(components, policy, ToolFiles::default())
}

/// Does what [`check_tools`] does, with files that were read before.
pub(crate) fn check_files(components: &Components, policy: &Policy, mut files: ToolFiles) -> Result<ToolFiles, PolicyErrors> {
    let grants = Grants::of(policy);
    let mut findings = Findings::default();
    for (name, tool) in &policy.tools().custom {
        if let Some(shipped) = hidden(components, policy, name) {
            let message = format!("a tool of your own cannot be called {}: it would hide the program of `{shipped}`", quote(name));
            findings.push(tool.rule.finding(message).help("give it another name"));
        }
        match files.of(name, tool) {
            Ok(file) => check(name, tool, &file.imports, &grants.of_custom(tool), policy, &mut findings),
            Err(error) => findings.push(unreadable(tool.into(), &error)),
        }
    }
    for (interface, import) in policy.imports() {
        if let Err(error) = files.of(&subject(interface), import) {
            findings.push(unreadable(import.into(), &error));
        }
    }
    findings.decide(files)
}

/// Returns the shipped tool of this policy that contains `name`.
fn hidden<'p>(components: &Components, policy: &'p Policy, name: &str) -> Option<&'p str> {
    // A missing shipped component is not the policy's fault: the session reports it.
    let has = |part: &str| components.lookup(part).is_ok_and(|component| component.applets().iter().any(|applet| applet == name));
    policy.tools().allow.iter().find(|tool| components_of(tool).any(has)).map(String::as_str)
}

fn unreadable(wanted: Wanted<'_>, error: &SessionError) -> Finding {
    let file = quote(&wanted.path.to_string_lossy());
    match error {
        SessionError::ToolDigest { found, .. } => {
            let finding = wanted.sha256_rule.finding(format!("the component {file} has another digest"));
            finding.label(format!("it has {found}")).help("if you trust the file as it is now, write that digest here")
        }
        SessionError::ToolFile { path, source, .. } => {
            wanted.rule.finding(format!("the component {} cannot be read: {source}", quote(&path.to_string_lossy())))
        }
        SessionError::World(error) => {
            let why = match error {
                WorldError::NotAComponent { source, .. } => format!("{file} is {source}"),
                other => other.to_string(),
            };
            wanted.rule.finding(why).help("build it for `wasm32-wasip2`, which gives a component")
        }
        other => wanted.rule.finding(other.to_string()),
    }
}

/// Checks a custom tool by itself. What stands in front of its imports is checked when the session starts, with all tools.
fn check(name: &str, tool: &CustomTool, imports: &Imports, grants: &Grants, policy: &Policy, findings: &mut Findings) {
    let world = imports.decide(name, grants, &[]);
    let in_front = |row: &&ImportRow| policy.imports().get(unversioned(&row.interface)).is_some_and(|import| import.is_for(name));
    for row in world.imports().iter().filter(|row| row.decision == Decision::Refused && !in_front(row)) {
        findings.push(
            tool.rule
                .finding(format!("the tool {} imports {}, which is refused", quote(name), quote(&row.interface)))
                .help(row.reason.as_str()),
        );
    }
    if let Err(error) = world.program() {
        findings.push(tool.rule.finding(error.to_string()).help("export `wasi:cli/run`, as a program with a `main` does"));
    }
}
