//! The gate on addresses: wisp connects to the address of a name only if it is public, or if the policy allows it.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::failure::{Code, Failure};
use wisp_policy::{AllowRule, Rule};

/// The kind of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AddressClass {
    /// On the public network.
    Public,
    /// On this machine or in a private network: `allow_private = true` allows it. The text says which kind.
    Private(&'static str),
    /// Of no use to a request, or too dangerous for a general permission: a rule must list it. The text says which
    /// kind.
    Special(&'static str),
}

/// Services that give a machine's credentials to any program on it, and whose addresses look public or private. All
/// others are link-local, which is special as a whole: 169.254.169.254 of most clouds, 169.254.170.2 and .23 (ECS,
/// EKS), 169.254.42.42 (Scaleway), 169.254.0.23 (Tencent), fe80::a9fe:a9fe (OpenStack).
const METADATA: [IpAddr; 7] = [
    // Azure, Alibaba, Oracle.
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    // Google, Oracle, Scaleway, Linode. Amazon has a whole network, see below.
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xa9fe, 0xa9fe, 0, 0, 0, 0, 1)),
];

/// Classifies `address`. An IPv6 address that contains an IPv4 address has the kind of that one.
fn classify(address: IpAddr) -> AddressClass {
    if METADATA.contains(&address) {
        return AddressClass::Special("a metadata service's");
    }
    match address {
        IpAddr::V4(address) => classify_v4(address),
        IpAddr::V6(address) => classify_v6(address),
    }
}

fn classify_v4(address: Ipv4Addr) -> AddressClass {
    use AddressClass::{Private, Public, Special};
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        (0, ..) => Special("unspecified"),
        (127, ..) => Private("loopback"),
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => Private("private"),
        (169, 254, _) => Special("link-local, where metadata services are"),
        (100, 64..=127, _) => Private("shared (carrier-grade NAT)"),
        (192, 0, 0) => Special("for protocols"),
        (192, 0, 2) | (198, 51, 100) | (203, 0, 113) => Special("for documentation"),
        (192, 88, 99) => Special("of 6to4 relays"),
        (198, 18..=19, _) => Special("for benchmarks"),
        (224..=239, ..) => Special("multicast"),
        (240..=255, ..) => Special("reserved"),
        _ => Public,
    }
}

fn classify_v6(address: Ipv6Addr) -> AddressClass {
    use AddressClass::{Private, Public, Special};
    if let Some(carried) = carried(address) {
        return classify(carried.into());
    }
    let [a, b, c, ..] = address.segments();
    match (a, b, c) {
        _ if address.is_unspecified() => Special("unspecified"),
        _ if address.is_loopback() => Private("loopback"),
        // EC2 uses fd00:ec2::254, EKS uses fd00:ec2::23, and there are more.
        (0xfd00, 0xec2, _) => Special("a metadata service's"),
        (0xfc00..=0xfdff, ..) => Private("private"),
        (0xfe80..=0xfebf, ..) => Special("link-local, where metadata services are"),
        (0xfec0..=0xfeff, ..) => Private("site-local"),
        (0xff00..=0xffff, ..) => Special("multicast"),
        (0x2001, 0xdb8, _) | (0x3fff, 0..=0xfff, _) => Special("for documentation"),
        (0x2001, 0..=0x1ff, _) => Special("for protocols"),
        (0x2000..=0x3fff, ..) => Public,
        // Only 2000::/3 is assigned.
        _ => Special("reserved"),
    }
}

/// Returns the IPv4 address inside an IPv6 address: mapped, compatible, translated, NAT64, 6to4, Teredo (the client's).
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match s {
        // `::` and `::1` contain no IPv4 address.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => Some(v4(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(v4(high, low)),
        // The local-use prefix of NAT64: the operator chooses the position of the address; the last 32 bits are usual.
        [0x64, 0xff9b, 1, .., high, low] => Some(v4(high, low)),
        [0x2002, high, low, ..] => Some(v4(high, low)),
        [0x2001, 0, _, _, _, _, high, low] => Some(v4(!high, !low)),
        _ => None,
    }
}

/// Checks whether the rules allow a request for their host to go to `address`.
pub(super) fn check(address: IpAddr, rules: &[&AllowRule], absence: &Rule) -> Result<(), Failure> {
    let class = classify(address);
    let named = |rule: &&AllowRule| {
        rule.addresses.iter().any(|network| network.contains(address))
            || matches!(&rule.url.host, wisp_policy::hosts::HostPattern::Exact(host) if host.address() == Some(address))
    };
    if class == AddressClass::Public || rules.iter().any(named) {
        return Ok(());
    }
    let (word, keys) = match class {
        AddressClass::Private(_) if rules.iter().any(|rule| rule.allow_private) => return Ok(()),
        AddressClass::Private(word) => (word, &["allow_private = true", "addresses = [\"…\"]"][..]),
        AddressClass::Special(word) => (word, &["addresses = [\"…\"]"][..]),
        AddressClass::Public => return Ok(()),
    };
    // One that a person can add a key to is the one to name.
    let rule = rules.iter().find(|rule| rule.written).or_else(|| rules.first()).copied();
    let help = match rule {
        // An option, or a key such as `python.index`, has no place for another key.
        Some(AllowRule { url, written: false, .. }) => {
            let lines: Vec<String> = keys.iter().map(|key| format!("`{{ url = \"{url}\", {key} }}`")).collect();
            format!("add {} to `allow` of `[network]`", lines.join(" or "))
        }
        _ => {
            let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            format!("add {} to the rule of `network.allow`", keys.join(" or "))
        }
    };
    let rule = rule.map_or(absence, |rule| &rule.rule);
    // Only the receipt names the address: otherwise a guest could map a private network by its names.
    let reason = format!("the host's address is {word}, which a rule has to name");
    let failure = Failure::new(Code::AddressProhibited, reason).by(rule);
    let recorded = format!("the host's address {address} is {word}, which a rule has to name");
    Err(failure.recorded(recorded).help(format!("{help}; the receipt has the address")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(address: &str) -> AddressClass {
        classify(address.parse().unwrap())
    }

    /// Addresses that any request may use.
    const PUBLIC: &[&str] = &[
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "168.63.129.15",
        "2606:4700::1",
        "2a00:1450::1",
        "64:ff9b::808:808",
        "::ffff:8.8.8.8",
        "2002:808:808::1",
        "2001:200::",
    ];

    /// Addresses of private networks.
    const PRIVATE: &[&str] = &[
        "127.0.0.1",
        "127.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.0",
        "100.127.255.255",
        "::1",
        "fc00::1",
        "fdff::1",
        "fec0::1",
        "fd00:ec1::1",
        "fd20:ce::253",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "::ffff:0:10.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::192.168.0.1",
        "64:ff9b:1:2:3:4:127.0.0.1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2001:0:1:2:3:4:80ff:fffe",
    ];

    /// Addresses with a special meaning: of this machine, of metadata services, of no host.
    const SPECIAL: &[&str] = &[
        "0.0.0.0",
        "0.1.2.3",
        "169.254.169.254",
        "169.254.170.2",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "192.0.0.1",
        "192.0.2.1",
        "198.51.100.1",
        "203.0.113.255",
        "198.18.0.0",
        "198.19.255.255",
        "192.88.99.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "169.254.0.1",
        "169.254.170.23",
        "169.254.42.42",
        "169.254.0.23",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:c1::a9fe:a9fe",
        "fd00:42::42",
        "fd00:a9fe:a9fe::1",
        "fe80::1",
        "fe80::a9fe:a9fe",
        "febf::1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::",
        "100::1",
        "4000::1",
        "5f00::1",
        "2001:1::1",
        "2001:20::1",
        "::ffff:0.0.0.0",
    ];

    #[test]
    fn only_what_is_public_is() {
        for public in PUBLIC {
            assert_eq!(class(public), AddressClass::Public, "{public}");
        }
        for private in PRIVATE {
            assert!(matches!(class(private), AddressClass::Private(_)), "{private}: {:?}", class(private));
        }
        for special in SPECIAL {
            assert!(matches!(class(special), AddressClass::Special(_)), "{special}: {:?}", class(special));
        }
    }
}
