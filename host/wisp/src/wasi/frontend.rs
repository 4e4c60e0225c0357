//! `wisp:sandbox/frontend`: what an evaluation shows, and what it asks.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use wasmtime::component::HasData;

use super::artifacts::is_media_type;
use super::bindings::wisp::sandbox::frontend::{AskError, Display as Shown, Host, Question as Asked, ShowError};
use super::context::{Part, WasiView};
use super::signals::end_if_doomed;
use super::{Charge, HostMemory};
use wisp_process::Process;

/// Maximum forms of one object.
const MAX_FORMS: usize = 32;

/// Maximum bytes of an object's id.
const MAX_ID: usize = 256;

/// Maximum bytes of a question, and of its answer.
const MAX_LINE: usize = 64 << 10;

/// One form of an object that an evaluation shows or returns.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Form {
    /// The media type, such as `text/html`.
    pub media_type: String,
    /// The bytes: UTF-8 if the type is a text type or JSON.
    pub data: Bytes,
}

impl Form {
    /// The form as text; `None` if it is not UTF-8, as an image is not.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.data).ok()
    }

    /// Checks what a guest made. Returns `None` if a media type is malformed or comes twice, a text is not UTF-8, or
    /// there are too many forms.
    pub(crate) fn check(forms: Vec<(String, Vec<u8>)>) -> Option<Vec<Self>> {
        let mut checked: Vec<Self> = Vec::with_capacity(forms.len().min(MAX_FORMS));
        for (media_type, data) in forms {
            let form = Self { media_type, data: data.into() };
            let again = checked.iter().any(|other| other.media_type == form.media_type);
            if again || checked.len() == MAX_FORMS || !is_media_type(&form.media_type) || (form.is_text() && form.text().is_none()) {
                return None;
            }
            checked.push(form);
        }
        Some(checked)
    }

    fn is_text(&self) -> bool {
        let kind = self.media_type.split(';').next().unwrap_or_default();
        kind.starts_with("text/") || kind.ends_with("+xml") || kind.ends_with("+json") || kind == "application/json"
    }

    /// The bytes that it counts for: its row, and what is in it.
    pub(crate) fn size(&self) -> u64 {
        (size_of::<Self>() + self.media_type.len() + self.data.len()) as u64
    }
}

/// Something that an evaluation shows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Display {
    /// Its forms; choose the one that you can show best. `text/plain` is among them if the program made it with `display`.
    pub forms: Vec<Form>,
    /// A name by which a later display replaces it.
    pub id: Option<String>,
    /// Whether it replaces what was shown with the same `id`.
    pub update: bool,
}

impl Display {
    /// The bytes that it counts for.
    pub(crate) fn size(&self) -> u64 {
        self.forms.iter().map(Form::size).sum::<u64>() + self.id.as_ref().map_or(0, String::len) as u64
    }
}

/// Something that an evaluation asks (`input()`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// What to ask. It was not printed: show it with the question.
    pub prompt: String,
    /// Whether the answer is a secret that must not be shown while it is typed.
    pub hidden: bool,
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
    fn ask(&self, question: Question) -> Option<Answer>;
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
        let Some(forms) = Form::check(what.forms).filter(|_| named) else { return Ok(Err(ShowError::Invalid)) };
        frontend.show(Display { forms, id: what.id, update: what.update });
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
        let Some(answer) = frontend.ask(Question { prompt: question.prompt, hidden: question.hidden }) else {
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

    fn checked(forms: &[(&str, &[u8])]) -> Option<Vec<Form>> {
        Form::check(forms.iter().map(|(media_type, data)| ((*media_type).to_owned(), data.to_vec())).collect())
    }

    #[test]
    fn forms_have_a_media_type_of_their_own_and_text_is_utf_8() {
        let forms = checked(&[("text/html", "<b>ü</b>".as_bytes()), ("image/png", b"\x89PNG\xff"), ("application/json", b"{}")]).unwrap();
        assert_eq!((forms[0].text(), forms[1].text(), forms[0].size()), (Some("<b>ü</b>"), None, size_of::<Form>() as u64 + 9 + 9));
        for refused in
            [("html", &b"x"[..]), ("text/html\n", b"x"), ("text/html", b"\xff"), ("image/svg+xml", b"\xff"), ("application/json", b"\xff")]
        {
            assert_eq!(checked(&[refused]), None, "{refused:?}");
        }
        assert_eq!(checked(&[("text/html", b"a"), ("text/html", b"b")]), None);
        let many: Vec<_> = (0..=MAX_FORMS).map(|number| (format!("x/{number}"), Vec::new())).collect();
        assert!(Form::check(many[..MAX_FORMS].to_vec()).is_some());
        assert_eq!(Form::check(many), None);
    }
}
