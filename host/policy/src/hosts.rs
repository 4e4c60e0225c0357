//! Hosts: names and addresses in the form in which they are compared, and the patterns of rules. Rules and requests
//! use the same parser, so that what a rule allows is what is connected to.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::fmt;

/// Maximum length of a DNS name.
const NAME_BYTES: usize = 253;

/// A host of a URL, in the one form that is compared, looked up and sent to the server.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// A name: lower case, international names in their ASCII form, without a trailing dot.
    Name(String),
    /// An IPv4 address.
    V4(Ipv4Addr),
    /// An IPv6 address.
    V6(Ipv6Addr),
}

impl Host {
    /// Parses the host of a URL. Rejects forms that programs read differently: numbers that are not four plain
    /// decimals (`0x7f.1`, `2130706433`, `127.1`, `010.0.0.1`), escapes (`example%2ecom`), zones (`[fe80::1%eth0]`).
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        if let Some(address) = text.strip_prefix('[') {
            let address = address.strip_suffix(']').ok_or("an IPv6 address is written in `[` and `]`")?;
            return address.parse().map(Self::V6).map_err(|_| "this is not an IPv6 address");
        }
        if text.is_empty() {
            return Err("a host must not be empty");
        }
        if text.len() > 4 * NAME_BYTES {
            return Err("a host has at most 253 bytes");
        }
        if text.contains('%') {
            return Err("a host has no `%`: write its characters themselves");
        }
        let name = idna::domain_to_ascii_cow(text.as_bytes(), idna::AsciiDenyList::URL).map_err(|_| "this is not a host name")?;
        let name = name.strip_suffix('.').unwrap_or(&name);
        let label = |label: &str| {
            (1..=63).contains(&label.len()) && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        };
        if name.len() > NAME_BYTES || !name.split('.').all(label) {
            return Err("this is not a host name");
        }
        let last = name.rsplit('.').next().unwrap_or_default();
        let digits = last
            .strip_prefix("0x")
            .map_or(last.bytes().all(|byte| byte.is_ascii_digit()), |hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if digits {
            return name.parse().map(Self::V4).map_err(|_| "an IPv4 address is four decimal numbers without leading zeros");
        }
        Ok(Self::Name(name.to_owned()))
    }

    /// Returns the address, if it is one.
    pub fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Name(_) => None,
            Self::V4(address) => Some((*address).into()),
            Self::V6(address) => Some((*address).into()),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::V4(address) => address.fmt(f),
            Self::V6(address) => write!(f, "[{address}]"),
        }
    }
}

/// The hosts that a rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostPattern {
    /// This host.
    Exact(Host),
    /// Every name that ends in `.` and this suffix: `*.example.com`, which does not match `example.com` itself.
    Below(String),
}

impl HostPattern {
    /// Parses `example.com`, `*.example.com` or an address.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let Some(suffix) = text.strip_prefix("*.") else {
            return Host::parse(text).map(Self::Exact);
        };
        match Host::parse(suffix)? {
            Host::Name(suffix) if suffix.contains('.') => Ok(Self::Below(suffix)),
            Host::Name(_) => Err("a suffix has at least two parts: `*.example.com`"),
            Host::V4(_) | Host::V6(_) => Err("an address has no names below it"),
        }
    }

    /// Returns whether it matches `host`.
    pub fn matches(&self, host: &Host) -> bool {
        match (self, host) {
            (Self::Exact(exact), host) => exact == host,
            (Self::Below(suffix), Host::Name(name)) => {
                name.strip_suffix(suffix.as_str()).and_then(|rest| rest.strip_suffix('.')).is_some_and(|rest| !rest.is_empty())
            }
            (Self::Below(_), Host::V4(_) | Host::V6(_)) => false,
        }
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(host) => host.fmt(f),
            Self::Below(suffix) => write!(f, "*.{suffix}"),
        }
    }
}

/// An address or a network of addresses: `10.0.0.5`, `10.1.0.0/16`, `fd00::/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addresses {
    address: IpAddr,
    bits: u8,
}

impl Addresses {
    /// Parses an address or a network.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| "this is not an address")?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => all,
            Some(bits) if bits.bytes().all(|byte| byte.is_ascii_digit()) => {
                bits.parse().ok().filter(|bits| *bits <= all).ok_or("a network has at most 32 bits, or 128 for IPv6")?
            }
            Some(_) => return Err("a network is an address, `/` and a number of bits"),
        };
        Ok(Self { address, bits })
    }

    /// Returns whether it contains `address`.
    pub fn contains(&self, address: IpAddr) -> bool {
        let same = |ours: u128, theirs: u128, width: u32| {
            let shift = width - u32::from(self.bits);
            shift == 128 || (ours >> shift) == (theirs >> shift)
        };
        match (self.address, address) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => same(ours.to_bits().into(), theirs.to_bits().into(), 32),
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => same(ours.to_bits(), theirs.to_bits(), 128),
            _ => false,
        }
    }
}

impl fmt::Display for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.address, self.bits) {
            (IpAddr::V4(_), 32) | (IpAddr::V6(_), 128) => self.address.fmt(f),
            (address, bits) => write!(f, "{address}/{bits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Result<String, &'static str> {
        Host::parse(text).map(|host| host.to_string())
    }

    #[test]
    fn one_form_for_every_way_of_writing_a_host() {
        for (written, read) in [
            ("Example.COM", "example.com"),
            ("example.com.", "example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("BÜCHER.example", "xn--bcher-kva.example"),
            ("ｅxample。com", "example.com"),
            ("a_b.example", "a_b.example"),
            ("127.0.0.1", "127.0.0.1"),
            ("127.0.0.1.", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("[0:0:0:0:0:FFFF:127.0.0.1]", "[::ffff:127.0.0.1]"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(name(written), Ok(read.to_owned()), "{written}");
        }
        for bad in [
            "",
            ".",
            "..",
            "a..b",
            "example.com..",
            ".example.com",
            "a b",
            "a/b",
            "a@b",
            "a:1",
            "a\\b",
            "a?b",
            "a#b",
            "a%2eb",
            "a\0b",
            "a\r\nb",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "127.0.0.01",
            "1.2.3.4.5",
            "1.2.3.256",
            "a.1",
            "a.0x1",
            "0x",
            "[::1",
            "::1",
            "[::1%eth0]",
            "[127.0.0.1]",
            "[]",
            "*.example.com",
            "xn--zzzzzz-.example",
        ] {
            assert!(name(bad).is_err(), "{bad}: {:?}", name(bad));
        }
    }

    #[test]
    fn patterns() {
        let matches = |pattern: &str, host: &str| HostPattern::parse(pattern).unwrap().matches(&Host::parse(host).unwrap());
        assert!(matches("example.com", "EXAMPLE.com."));
        assert!(!matches("example.com", "a.example.com"));
        assert!(matches("*.example.com", "a.b.example.com"));
        for other in ["example.com", "badexample.com", "example.com.evil.net", "127.0.0.1"] {
            assert!(!matches("*.example.com", other), "{other}");
        }
        assert!(matches("[::1]", "[0:0::1]"));
        assert!(!matches("127.0.0.1", "[::ffff:127.0.0.1]"));
        for bad in ["*", "*.", "*.com", "*.1.2.3.4", "a.*.b", "*.*.example.com"] {
            assert!(HostPattern::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn networks() {
        let within = |network: &str, address: &str| Addresses::parse(network).unwrap().contains(address.parse().unwrap());
        assert!(within("10.1.0.0/16", "10.1.255.3") && !within("10.1.0.0/16", "10.2.0.0"));
        assert!(within("10.0.0.5", "10.0.0.5") && !within("10.0.0.5", "10.0.0.6"));
        assert!(within("0.0.0.0/0", "1.2.3.4") && within("::/0", "::1") && !within("::/0", "1.2.3.4"));
        assert!(within("fd00::/8", "fdff::1") && !within("fd00::/8", "fe00::1"));
        for bad in ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0/8", "a"] {
            assert!(Addresses::parse(bad).is_err(), "{bad}");
        }
    }
}
