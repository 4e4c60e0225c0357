//! The sessions that the command line keeps, and what it adds to their errors: the command or option that helps.

use anyhow::anyhow;
use wisp_service::{KeptSession, Store, StoreError};

use crate::{Failure, resident};

/// Opens the user's session with this name, created if it does not exist. Says what a helper left to be said about it.
pub(crate) fn open(name: &str) -> Result<KeptSession, Failure> {
    let kept = Store::of_user().and_then(|store| store.open(name)).map_err(refused)?;
    resident::tell(&kept, true);
    Ok(kept)
}

/// Returns the failure for a session that cannot be had: by its name, its policy, its folder, or because another has it.
pub(crate) fn refused(error: StoreError) -> Failure {
    Failure::usage(match error {
        StoreError::Folder { operation: "make", .. } => anyhow!("{error}; name another place with XDG_STATE_HOME"),
        error => advised(error),
    })
}

/// Returns the failure for a session that cannot continue: because of what was kept, or because wisp itself failed.
pub(crate) fn unusable(error: StoreError) -> Failure {
    Failure::library(advised(error))
}

/// Returns the error, with what to do on the command line.
pub(crate) fn advised(error: StoreError) -> anyhow::Error {
    let discard = |name: &str| format!("the session `{name}` cannot continue (`wisp session rm {name}` discards it)");
    match error {
        StoreError::InUse { name } => {
            anyhow!("another wisp uses the session `{name}`; wait until its command has ended, or take another name")
        }
        StoreError::NotFound { .. } => anyhow!("{error}; `wisp session list` lists them"),
        StoreError::OtherPolicy { ref name, .. } => {
            anyhow!(
                "{error}; leave out --policy and the options that add to it, or begin another session (`wisp session rm {name}` ends this \
                 one)"
            )
        }
        StoreError::FilesGone { name } => anyhow!("{}: its files are gone", discard(&name)),
        StoreError::Unreadable { name, source } => anyhow::Error::new(source).context(discard(&name)),
        StoreError::Unusable { name, source } => anyhow::Error::new(*source).context(discard(&name)),
        // Shown with their carets.
        StoreError::Policy(findings) => findings.into(),
        // Its code says who is at fault.
        StoreError::Interpreter(error) => (*error).into(),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use wisp::SnapshotFileError;
    use wisp::policy::PolicyErrors;

    use super::*;

    fn said(error: StoreError) -> String {
        crate::one_line(&advised(error))
    }

    #[test]
    fn an_error_names_the_command_that_helps() {
        let name = || "s".to_owned();
        assert_eq!(said(StoreError::NotFound { name: name() }), "there is no session `s`; `wisp session list` lists them");
        let policy = "offline".to_owned();
        let expected = "the session `s` began under another policy (`offline`); leave out --policy and the options that add to it, or begin \
                        another session (`wisp session rm s` ends this one)";
        assert_eq!(said(StoreError::OtherPolicy { name: name(), policy }), expected);
        let start = "the session `s` cannot continue (`wisp session rm s` discards it): ";
        assert_eq!(said(StoreError::FilesGone { name: name() }), format!("{start}its files are gone"));
        let source = SnapshotFileError::Truncated { at: 3 };
        assert_eq!(
            said(StoreError::Unusable { name: name(), source: Box::new(source) }),
            format!("{start}it is cut off: it ends after 3 bytes")
        );
    }

    #[test]
    fn who_is_at_fault_decides_the_exit_code() {
        let name = || "s".to_owned();
        let full = StoreError::Interpreter(Box::new(wisp::InterpreterError::Full));
        assert_eq!((unusable(full).code, unusable(StoreError::FilesGone { name: name() }).code), (125, 2));
        let damaged = StoreError::Unusable { name: name(), source: Box::new(SnapshotFileError::Damaged { at: 1 }) };
        let disk = StoreError::Unusable { name: name(), source: Box::new(SnapshotFileError::Io(std::io::Error::other("the disk fails"))) };
        assert_eq!((unusable(damaged).code, unusable(disk).code), (2, 125));
        // What is in the place of a file is the user's to remove.
        let pipe = StoreError::Unreadable { name: name(), source: std::io::Error::other("f is not a regular file: remove it") };
        assert_eq!(unusable(pipe).code, 2);
    }

    #[test]
    fn what_needs_no_advice_is_as_it_was() {
        let name = "a/b".to_owned();
        assert_eq!(said(StoreError::Name { name: name.clone() }), StoreError::Name { name }.to_string());
        let source = SnapshotFileError::Io(std::io::Error::other("the disk is full"));
        assert_eq!(
            said(StoreError::NotSaved { name: "s".to_owned(), source: Box::new(source) }),
            "the session `s` could not be kept: the disk is full"
        );
        let wrong = wisp::Policy::parse(&wisp::policy::NoFiles, "p.toml", "wrong").expect_err("it is no policy");
        assert!(advised(StoreError::Policy(wrong)).is::<PolicyErrors>());
    }
}
