//! The specifications of `complete`, by command.

/// What is offered for a command.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// Bits of `ACTIONS`.
    pub(crate) actions: u32,
    /// Bits of `OPTIONS`.
    pub(crate) options: u8,
    /// The texts after `-G -W -P -S -X -C -F`.
    pub(crate) texts: Vec<(u8, Vec<u8>)>,
}

/// The specifications by command, in the order in which bash lists them.
pub type Specs = Vec<(Vec<u8>, Spec)>;
