//! What the command lines of both tools share: the entries of a table of options, and messages about refused ones.

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// On, or off as `--no-NAME`.
    Flag,
    /// With a value.
    Value,
    /// Accepted without effect: it asks for what happens anyway, or for what only the host could do.
    Nothing,
    /// Accepted with its value, without effect.
    NothingValue,
    /// Known, and refused for this reason.
    Refused(&'static str),
    /// The same with a value.
    RefusedValue(&'static str),
}

pub(crate) const ADDRESS: &str = "which address is asked is the host's to decide; policies name addresses with `addresses`";
pub(crate) const CLIENT: &str = "TLS is the host's; it has no client certificates";
pub(crate) const PROXY: &str = "wisp connects to the host itself and knows no proxies";
pub(crate) const ROOTS: &str = "certificates are verified by the host; a policy adds roots with `ca = \"file\"` in [network]";

/// Short name (without its dash; empty if there is none), long name, kind.
pub(crate) type Entry = (&'static str, &'static str, Kind);

/// Why no option has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Several begin with it.
    Ambiguous,
    /// None does.
    Unknown,
}

impl Kind {
    /// Returns whether a value belongs to the option.
    pub(crate) fn takes_value(self) -> bool {
        matches!(self, Self::Value | Self::NothingValue | Self::RefusedValue(_))
    }

    /// Returns whether the option has an effect, given as `--no-NAME` or not; `Err` is the reason for which wisp refuses it.
    pub(crate) fn has_effect(self, on: bool) -> Result<bool, String> {
        match self {
            Self::Flag | Self::Value => Ok(true),
            Self::Nothing | Self::NothingValue => Ok(false),
            // Turning off what wisp refuses has no effect.
            Self::Refused(_) if !on => Ok(false),
            Self::Refused(reason) | Self::RefusedValue(reason) => Err(format!("refused by wisp: {reason}")),
        }
    }
}

/// Returns the option of a long name, or of the only one that begins with it.
pub(crate) fn by_long(table: &'static [Entry], name: &str) -> Result<&'static Entry, Missing> {
    if let Some(exact) = table.iter().find(|(_, long, _)| *long == name) {
        return Ok(exact);
    }
    let mut all = table.iter().filter(|(_, long, _)| long.starts_with(name));
    match (all.next(), all.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(Missing::Ambiguous),
        _ => Err(Missing::Unknown),
    }
}

/// Returns the option of a short name.
pub(crate) fn by_short(table: &'static [Entry], name: &str) -> Option<&'static Entry> {
    table.iter().find(|(short, _, _)| *short == name && !name.is_empty())
}

/// Returns the warning about an option that asks not to verify certificates.
pub(crate) fn still_verified(spelled: &str) -> String {
    format!("{spelled} is refused: certificates are verified by wisp's host, whatever a program says")
}
