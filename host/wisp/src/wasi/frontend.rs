//! `wisp:sandbox/frontend`: what an evaluation shows, and what it asks.

use std::pin::Pin;
use std::sync::Arc;

use wasmtime::component::HasData;

use super::artifacts::is_media_type;
use super::bindings::wisp::sandbox::frontend::{AskError, Display as Shown, Host, Question as Asked, ShowError};
use super::context::{Part, WasiView};
use super::signals::end_if_doomed;
use super::{Charge, HostMemory};
use wisp_api::{Display, InputRequest, Representation};
use wisp_process::Process;

/// Maximum representations of one object.
const MAX_FORMS: usize = 32;

/// Maximum bytes of an object's id.
const MAX_ID: usize = 256;

/// Maximum bytes of a question, and of its answer.
const MAX_LINE: usize = 64 << 10;

/// Checks the representations that a guest made. Returns `None` if a media type is malformed or comes twice, a text is not UTF-8, or
/// there are too many.
pub(crate) fn check_representations(made: Vec<(String, Vec<u8>)>) -> Option<Vec<Representation>> {
    let mut checked: Vec<Representation> = Vec::with_capacity(made.len().min(MAX_FORMS));
    for (media_type, data) in made {
        let one = Representation { media_type, data: data.into() };
        let again = checked.iter().any(|other| other.media_type == one.media_type);
        if again || checked.len() == MAX_FORMS || !is_media_type(&one.media_type) || (is_text(&one.media_type) && one.text().is_none()) {
            return None;
        }
        checked.push(one);
    }
    Some(checked)
}

/// Returns whether what has this media type is UTF-8.
fn is_text(media_type: &str) -> bool {
    let kind = media_type.split(';').next().unwrap_or_default();
    kind.starts_with("text/") || kind.ends_with("+xml") || kind.ends_with("+json") || kind == "application/json"
}

/// Returns the bytes that a representation counts for: its row, and what is in it.
fn size_of_one(one: &Representation) -> u64 {
    (size_of::<Representation>() + one.media_type.len() + one.data.len()) as u64
}

/// Returns the bytes that a display counts for.
pub(crate) fn size_of_display(display: &Display) -> u64 {
    display.representations.iter().map(size_of_one).sum::<u64>() + display.id.as_ref().map_or(0, String::len) as u64
}

/// An answer that is on its way; `None` is an end of file.
pub type Answer = Pin<Box<dyn Future<Output = Option<String>> + Send>>;

/// The program for which an evaluation runs.
pub trait Frontend: Send + Sync {
    /// Shows something.
    fn show(&self, display: Display);
    /// Removes what was shown; with `wait`, only when something else is shown.
    fn clear(&self, wait: bool);
    /// Asks something; `None` if the front end answers no questions.
    fn ask(&self, question: InputRequest) -> Option<Answer>;
}

/// The part of a process that `wisp:sandbox/frontend` sees.
pub(super) struct HasFrontend;

impl HasData for HasFrontend {
    type Data<'a> = FrontendView<'a>;
}

impl Part for HasFrontend {
    fn of(view: WasiView<'_>) -> FrontendView<'_> {
        let ctx = view.ctx;
        FrontendView { frontend: ctx.frontend.clone(), process: ctx.process.clone(), memory: &ctx.memory }
    }
}

/// The front end of the evaluation that runs in a process, if one does.
pub(super) struct FrontendView<'a> {
    frontend: Option<Arc<dyn Frontend>>,
    process: Arc<Process>,
    memory: &'a Arc<dyn HostMemory>,
}

impl Host for FrontendView<'_> {
    fn show(&mut self, what: Shown) -> wasmtime::Result<Result<(), ShowError>> {
        let Some(frontend) = &self.frontend else { return Ok(Err(ShowError::NoEvaluation)) };
        let named = what.id.as_ref().is_none_or(|id| id.len() <= MAX_ID) && (what.id.is_some() || !what.update);
        let Some(representations) = check_representations(what.forms).filter(|_| named) else { return Ok(Err(ShowError::Invalid)) };
        frontend.show(Display { representations, id: what.id, update: what.update });
        // It may have hit `limits.stdout`.
        end_if_doomed(&self.process)?;
        Ok(Ok(()))
    }

    fn clear(&mut self, wait: bool) -> wasmtime::Result<()> {
        if let Some(frontend) = &self.frontend {
            frontend.clear(wait);
        }
        Ok(())
    }

    async fn ask(&mut self, question: Asked) -> wasmtime::Result<Result<String, AskError>> {
        let Some(frontend) = &self.frontend else { return Ok(Err(AskError::Unattended)) };
        if question.prompt.len() > MAX_LINE {
            return Ok(Err(AskError::Invalid));
        }
        let Some(answer) = frontend.ask(InputRequest { prompt: question.prompt, hidden: question.hidden }) else {
            return Ok(Err(AskError::Unattended));
        };
        let answer = super::outside(answer).await;
        end_if_doomed(&self.process)?;
        let Some(answer) = answer else { return Ok(Err(AskError::EndOfInput)) };
        // The answer is held until it has been copied into the guest.
        match Charge::new(self.memory, answer.len() as u64) {
            Some(_) if answer.len() <= MAX_LINE => Ok(Ok(answer)),
            _ => Ok(Err(AskError::Invalid)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(forms: &[(&str, &[u8])]) -> Option<Vec<Representation>> {
        check_representations(forms.iter().map(|(media_type, data)| ((*media_type).to_owned(), data.to_vec())).collect())
    }

    #[test]
    fn forms_have_a_media_type_of_their_own_and_text_is_utf_8() {
        let forms = checked(&[("text/html", "<b>ü</b>".as_bytes()), ("image/png", b"\x89PNG\xff"), ("application/json", b"{}")]).unwrap();
        assert_eq!(
            (forms[0].text(), forms[1].text(), size_of_one(&forms[0])),
            (Some("<b>ü</b>"), None, size_of::<Representation>() as u64 + 9 + 9)
        );
        for refused in
            [("html", &b"x"[..]), ("text/html\n", b"x"), ("text/html", b"\xff"), ("image/svg+xml", b"\xff"), ("application/json", b"\xff")]
        {
            assert_eq!(checked(&[refused]), None, "{refused:?}");
        }
        assert_eq!(checked(&[("text/html", b"a"), ("text/html", b"b")]), None);
        let many: Vec<_> = (0..=MAX_FORMS).map(|number| (format!("x/{number}"), Vec::new())).collect();
        assert!(check_representations(many[..MAX_FORMS].to_vec()).is_some());
        assert_eq!(check_representations(many), None);
    }
}
