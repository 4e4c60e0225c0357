//! How a list becomes fields or one text: the separator that bash puts between the elements.

use super::param::Val;
use super::{Builder, Place};
use crate::ast::{Param, ParamName, ParamOp};
use crate::shell::Shell;

impl Param {
    /// Returns whether its operator removes a piece of each element.
    pub(super) fn removes(&self) -> bool {
        matches!(self.op, ParamOp::RemovePrefix(..) | ParamOp::RemoveSuffix(..))
    }

    /// Returns whether its operator makes new elements from those of a list.
    pub(super) fn changes(&self) -> bool {
        let keys = matches!(self.op, ParamOp::Keys(_) | ParamOp::Names(_));
        keys || self.removes() || matches!(self.op, ParamOp::Replace(..) | ParamOp::Case(..) | ParamOp::Slice(..) | ParamOp::Transform(_))
    }

    /// Returns whether it is an operator whose list bash turns into text early.
    fn cuts(&self) -> bool {
        self.removes() || matches!(self.op, ParamOp::Transform(_))
    }

    /// Returns whether its elements are joined with the first character of `IFS` (if that is not empty or `star` was written)
    /// and not with a blank. bash joins some lists where it expands the parameter and others when it has finished the
    /// word; only an unusual `IFS` shows the difference.
    fn joins_with_ifs(&self, star: bool, quoted: bool, builder: &Builder, no_ifs: bool) -> bool {
        let cuts = self.cuts();
        if !star {
            return match builder.place {
                Place::Element => true,
                Place::Value | Place::Declared if quoted => self.changes(),
                Place::Value | Place::Declared => cuts,
                _ => false,
            };
        }
        let positional = matches!(self.name, ParamName::Special(_));
        let keys = matches!(self.op, ParamOp::Keys(_) | ParamOp::Names(_));
        let late = cuts || keys || matches!(self.op, ParamOp::Slice(..));
        match builder.place {
            Place::Element => !no_ifs || quoted,
            Place::Declared => !no_ifs || quoted || !(late || positional && !matches!(self.op, ParamOp::Case(..))),
            Place::Value => !no_ifs || quoted || !builder.operand || !(late || positional && !matches!(self.op, ParamOp::Case(..))),
            Place::Here => !(late || positional && !matches!(self.op, ParamOp::Replace(..) | ParamOp::Case(..))),
            Place::Words | Place::Text => true,
        }
    }
}

impl Shell {
    /// Returns whether a blank separates the words of a text that is a command: `IFS` contains one, or is empty.
    pub(super) fn words_part_at_blanks(&mut self) -> bool {
        let ifs = self.ifs();
        ifs.is_empty() || ifs.contains(&b' ')
    }

    /// Joins with the first separator, splits, and joins with blanks: bash does this with some lists where nothing is
    /// split.
    fn rejoined(&mut self, list: &[Vec<u8>]) -> Vec<u8> {
        let ifs = self.ifs();
        let first = crate::pattern::char_at(&ifs, 0).1;
        let mut builder = Builder::new(Place::Words, ifs.clone());
        builder.split_text(&list.join(&ifs[..first]));
        builder.finish().into_iter().map(|field| field.text).collect::<Vec<_>>().join(&b' ')
    }

    /// Emits what is next to a list within the same quotes: bash splits `${a[*]op}` where it has joined it.
    pub(super) fn emit_among_lists(&mut self, list: &[Vec<u8>], builder: &mut Builder) {
        let keeps_empty = self.ifs().first().is_some_and(|first| !first.is_ascii_whitespace());
        for (number, item) in list.iter().enumerate() {
            if number > 0 {
                if keeps_empty {
                    builder.ensure();
                }
                builder.next_field();
            }
            if !item.is_empty() {
                builder.quoted(item);
            }
        }
    }

    /// Adds a value to the builder.
    pub(super) fn emit(&mut self, param: &Param, value: Val, quoted: bool, builder: &mut Builder) {
        match value {
            Val::Unset => {
                if quoted {
                    builder.quoted(b"");
                }
            }
            Val::One(text) if quoted => builder.quoted(&text),
            Val::One(text) => builder.split_text(&text),
            Val::Many(list, star) => {
                let ifs = self.ifs();
                let joins = if star { quoted || !builder.splits() } else { !builder.splits() };
                builder.quoted_list |= quoted && !joins;
                builder.empty_list |= quoted && !star && list.is_empty();
                builder.list_items += list.len();
                if joins
                    && !star
                    && !quoted
                    && builder.place == Place::Text
                    && param.changes()
                    && ifs.first().is_some_and(|first| *first != b' ')
                {
                    return builder.literal(&self.rejoined(&list));
                }
                if joins {
                    let by_ifs = (star || !ifs.is_empty()) && param.joins_with_ifs(star, quoted, builder, ifs.is_empty());
                    let first = if ifs.is_empty() { 0 } else { crate::pattern::char_at(&ifs, 0).1 };
                    let between = if by_ifs { &ifs[..first] } else { b" " };
                    let text = match (&param.op, &list[..]) {
                        // `declare -a x=(…)` has blanks of its own; `set -- …` has two.
                        (ParamOp::Transform(b'A'), [set, dashes, rest @ ..]) if matches!(&set[..], b"set" | b"declare") => {
                            [&set[..], b" ", dashes, b" ", &rest.join(between)].concat()
                        }
                        _ => list.join(between),
                    };
                    if quoted {
                        builder.quoted(&text);
                    } else {
                        builder.split_text(&text);
                    }
                    return;
                }
                if !quoted && !star && builder.operand && ifs.first().is_some_and(|first| *first != b' ') {
                    match (ifs.contains(&b' '), param.changes()) {
                        (true, true) => {}
                        (false, true) => return builder.literal(&self.rejoined(&list)),
                        (false, false) if !builder.quoted_list => return builder.literal(&list.join(&b' ')),
                        (_, false) => {
                            for (number, item) in list.iter().enumerate() {
                                if number > 0 {
                                    builder.next_field();
                                }
                                builder.literal(item);
                            }
                            return;
                        }
                    }
                }
                if !quoted && ifs.first().is_some_and(|first| !first.is_ascii_whitespace()) {
                    // Joined with the first separator and split again, which keeps empty items.
                    let first = crate::pattern::char_at(&ifs, 0).1;
                    return builder.split_text(&list.join(&ifs[..first]));
                }
                for (number, item) in list.iter().enumerate() {
                    if number > 0 {
                        builder.next_field();
                    }
                    if quoted { builder.quoted(item) } else { builder.split_text(item) }
                }
            }
        }
    }
}
