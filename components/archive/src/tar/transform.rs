//! `--transform`: sed's `s` command on names, with basic regular expressions (`x`: extended).

/// One substitution.
#[derive(Debug, Clone)]
pub(crate) struct Transform {
    items: Vec<Item>,
    replacement: Vec<u8>,
    global: bool,
    fold: bool,
}

#[derive(Debug, Clone)]
enum Item {
    /// What matches one byte, and how often: at least, at most.
    Byte(Set, usize, usize),
    Start,
    End,
    Open(usize),
    Close(usize),
}

#[derive(Debug, Clone)]
enum Set {
    Any,
    One(u8),
    Class(bool, Vec<(u8, u8)>),
}

impl Set {
    fn has(&self, byte: u8, fold: bool) -> bool {
        let plain = |byte: u8| match self {
            Self::Any => true,
            Self::One(b) => *b == byte,
            Self::Class(negated, ranges) => ranges.iter().any(|(low, high)| (*low..=*high).contains(&byte)) != *negated,
        };
        plain(byte) || (fold && (plain(byte.to_ascii_lowercase()) || plain(byte.to_ascii_uppercase())))
    }
}

type Groups = [Option<(usize, usize)>; 10];

impl Transform {
    /// Reads several of them, separated by `;`.
    pub(crate) fn all(text: &str) -> Result<Vec<Self>, String> {
        let mut all = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let separator = rest.chars().nth(1).unwrap_or('/');
            let (mut count, mut escaped) = (0, false);
            let end = rest.find(|c| {
                let hit = !escaped && c == separator;
                escaped = !escaped && c == '\\';
                count += usize::from(hit);
                count >= 3 && c == ';'
            });
            let end = end.unwrap_or(rest.len());
            all.push(Self::parse(&rest[..end])?);
            rest = rest[end..].trim_start_matches(';');
        }
        Ok(all)
    }

    /// Reads `s/pattern/replacement/flags`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("Invalid transform expression: {text}");
        let rest = text.strip_prefix('s').ok_or_else(wrong)?.as_bytes();
        let separator = *rest.first().ok_or_else(wrong)?;
        let mut parts: Vec<Vec<u8>> = vec![Vec::new()];
        let mut at = 1;
        while at < rest.len() && parts.len() < 3 {
            let last = parts.len() - 1;
            match rest[at] {
                b'\\' if rest.get(at + 1) == Some(&separator) => {
                    parts[last].push(separator);
                    at += 1;
                }
                b'\\' if at + 1 < rest.len() => {
                    parts[last].extend(&rest[at..at + 2]);
                    at += 1;
                }
                byte if byte == separator => parts.push(Vec::new()),
                byte => parts[last].push(byte),
            }
            at += 1;
        }
        if parts.len() < 3 {
            return Err(wrong());
        }
        let flags = String::from_utf8_lossy(&rest[at.min(rest.len())..]).into_owned();
        let extended = flags.contains('x');
        let items =
            compile(&parts[0], extended).ok_or_else(|| format!("{text}: alternatives and repeated groups are not supported here"))?;
        Ok(Self { items, replacement: parts[1].clone(), global: flags.contains('g'), fold: flags.contains('i') })
    }

    /// Returns a name after the substitution.
    pub(crate) fn apply(&self, name: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = 0;
        while at <= name.len() {
            let mut groups: Groups = [None; 10];
            if let Some(end) = self.matches(&self.items, name, at, &mut groups) {
                groups[0] = Some((at, end));
                self.replace(name, &groups, &mut out);
                if end == at {
                    out.extend(name.get(at));
                    at += 1;
                } else {
                    at = end;
                }
                if !self.global {
                    break;
                }
            } else {
                out.extend(name.get(at));
                at += 1;
            }
        }
        out.extend(name.get(at..).unwrap_or_default());
        out
    }

    fn replace(&self, name: &[u8], groups: &Groups, out: &mut Vec<u8>) {
        let mut bytes = self.replacement.iter();
        while let Some(byte) = bytes.next() {
            let group = match byte {
                b'&' => 0,
                b'\\' => match bytes.next() {
                    Some(digit) if digit.is_ascii_digit() => usize::from(digit - b'0'),
                    other => {
                        out.extend(other);
                        continue;
                    }
                },
                other => {
                    out.push(*other);
                    continue;
                }
            };
            if let Some((from, to)) = groups[group] {
                out.extend(&name[from..to]);
            }
        }
    }

    fn matches(&self, items: &[Item], name: &[u8], at: usize, groups: &mut Groups) -> Option<usize> {
        let Some((item, rest)) = items.split_first() else { return Some(at) };
        match item {
            Item::Start => (at == 0).then(|| self.matches(rest, name, at, groups)).flatten(),
            Item::End => (at == name.len()).then(|| self.matches(rest, name, at, groups)).flatten(),
            Item::Open(n) | Item::Close(n) => {
                let before = groups[*n];
                groups[*n] = if matches!(item, Item::Open(_)) { Some((at, at)) } else { before.map(|(from, _)| (from, at)) };
                let result = self.matches(rest, name, at, groups);
                if result.is_none() {
                    groups[*n] = before;
                }
                result
            }
            Item::Byte(set, least, most) => {
                let mut count = 0;
                while count < *most && name.get(at + count).is_some_and(|b| set.has(*b, self.fold)) {
                    count += 1;
                }
                loop {
                    if count < *least {
                        return None;
                    }
                    if let Some(end) = self.matches(rest, name, at + count, groups) {
                        return Some(end);
                    }
                    if count == 0 {
                        return None;
                    }
                    count -= 1;
                }
            }
        }
    }
}

fn compile(pattern: &[u8], extended: bool) -> Option<Vec<Item>> {
    let mut items: Vec<Item> = Vec::new();
    let (mut at, mut group, mut open) = (0, 0, Vec::new());
    while at < pattern.len() {
        let escaped = pattern[at] == b'\\' && at + 1 < pattern.len();
        let byte = pattern[at + usize::from(escaped)];
        at += 1 + usize::from(escaped);
        // In a basic expression a backslash makes these special, in an extended one plain.
        let special = escaped != extended;
        match byte {
            b'(' if special => {
                group += 1;
                if group > 9 {
                    return None;
                }
                open.push(group);
                items.push(Item::Open(group));
            }
            b')' if special => items.push(Item::Close(open.pop()?)),
            b'|' if special => return None,
            b'*' if !escaped && !items.is_empty() => repeat(&mut items, 0, usize::MAX)?,
            b'+' if special => repeat(&mut items, 1, usize::MAX)?,
            b'?' if special => repeat(&mut items, 0, 1)?,
            b'^' if !escaped && (items.is_empty() || extended) => items.push(Item::Start),
            b'$' if !escaped && at == pattern.len() => items.push(Item::End),
            b'.' if !escaped => items.push(Item::Byte(Set::Any, 1, 1)),
            b'[' if !escaped => {
                let negated = pattern.get(at) == Some(&b'^');
                at += usize::from(negated);
                let first = at;
                let mut ranges = Vec::new();
                while at == first || *pattern.get(at)? != b']' {
                    let low = *pattern.get(at)?;
                    let range = pattern.get(at + 1) == Some(&b'-') && pattern.get(at + 2).is_some_and(|b| *b != b']');
                    ranges.push((low, if range { pattern[at + 2] } else { low }));
                    at += if range { 3 } else { 1 };
                }
                at += 1;
                items.push(Item::Byte(Set::Class(negated, ranges), 1, 1));
            }
            other => items.push(Item::Byte(Set::One(other), 1, 1)),
        }
    }
    open.is_empty().then_some(items)
}

fn repeat(items: &mut [Item], least: usize, most: usize) -> Option<()> {
    match items.last_mut()? {
        Item::Byte(_, low, high) => {
            (*low, *high) = (least, most);
            Some(())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(expression: &str, name: &str) -> String {
        String::from_utf8(Transform::parse(expression).unwrap().apply(name.as_bytes())).unwrap()
    }

    #[test]
    fn names_are_changed() {
        assert_eq!(run("s,^,pre/,", "a/b"), "pre/a/b");
        assert_eq!(run("s/a/X/g", "banana"), "bXnXnX");
        assert_eq!(run(r"s/\(.*\)\.c$/\1.o/", "x.c"), "x.o");
        assert_eq!(run("s/([a-z]+)-([0-9]+)/\\2-\\1/x", "abc-12"), "12-abc");
        assert_eq!(run("s/B/x/i", "abc"), "axc");
        assert_eq!(run(r"s|^\./||", "./a"), "a");
        assert!(Transform::parse("s/a").is_err());
        assert_eq!(Transform::all("s/a;b/c/g;s,x,y,").unwrap().len(), 2);
    }
}
