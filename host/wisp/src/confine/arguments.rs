//! seccomp: the system calls that are refused with some arguments.
//!
//! A filter sees numbers, not what they point to: it cannot read a name or an address. So sockets are refused by their
//! kind, and Landlock decides about the ports of those that remain.

use std::collections::BTreeMap;

use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{BackendError, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

/// By the number of the call, when it is refused: if all conditions of one rule hold. A call without rules is refused
/// always.
pub(super) type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The number of an argument, and what it has to be.
type Condition = (u8, SeccompCmpOp, u64);

/// `fcntl`: who gets the signals of a file, which ones, and when something happens in a folder.
const SIGNALS: [i32; 4] = [libc::F_SETOWN, 10, 15, libc::F_NOTIFY];

/// `ioctl`: simulated input to a terminal (TIOCSTI, TIOCLINUX), who gets the signals of a socket (FIOSETOWN, SIOCSPGRP),
/// the kernel's own attributes of a file (FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR).
const CONTROLS: [u64; 6] = [0x5412, 0x541c, 0x8901, 0x8902, 0x4008_6602, 0x401c_5820];

/// The kind of a socket is in these bits of its type; the others are flags.
const KIND: u64 = 0xf;

/// TCP_ULP, which makes a socket one of another protocol, that Landlock does not know.
const UPPER_LAYER: u64 = 31;

/// What a process needs beyond the calls that every session needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    /// Sockets for TCP, and for UDP to name servers.
    pub(super) network: bool,
    /// Modes and times of files.
    pub(super) attributes: bool,
    /// Connections to listeners that are open.
    pub(super) accept: bool,
}

/// Returns the rules for a process with this number.
pub(super) fn rules(needs: Needs, process: u32) -> Result<Rules, BackendError> {
    let process = u64::from(process);
    let thread = libc::CLONE_THREAD as u64;
    let (stream, datagram) = (libc::SOCK_STREAM as u64, libc::SOCK_DGRAM as u64);
    let (tcp, udp) = (libc::IPPROTO_TCP as u64, libc::IPPROTO_UDP as u64);
    let fast_open = libc::MSG_FASTOPEN as u64;
    let mut rules = Rules::new();
    // A new process: a clone that is not a thread.
    refuse(&mut rules, libc::SYS_clone, &[(0, MaskedEq(thread), 0)])?;
    for control in CONTROLS {
        refuse(&mut rules, libc::SYS_ioctl, &[(1, Eq, control)])?;
    }
    for command in SIGNALS {
        refuse(&mut rules, libc::SYS_fcntl, &[(1, Eq, command as u64)])?;
    }
    // Other processes: `abort` signals its own.
    refuse(&mut rules, libc::SYS_tgkill, &[(0, Ne, process)])?;
    refuse(&mut rules, libc::SYS_prlimit64, &[(0, Ne, 0), (0, Ne, process)])?;
    // The thread that calls may change its own priority, which has the number 0.
    refuse(&mut rules, libc::SYS_setpriority, &[(0, Ne, libc::PRIO_PROCESS as u64)])?;
    refuse(&mut rules, libc::SYS_setpriority, &[(1, Ne, 0)])?;
    for call in [
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
        libc::SYS_migrate_pages,
        libc::SYS_move_pages,
    ] {
        refuse(&mut rules, call, &[(0, Ne, 0)])?;
    }
    // A pair of streams is connected for good; a datagram of a pair can have another address, any socket's of the machine.
    refuse(&mut rules, libc::SYS_socketpair, &[(0, Ne, libc::AF_UNIX as u64)])?;
    kinds_but(&mut rules, libc::SYS_socketpair, &[stream])?;
    if needs.network {
        // Name lookup needs no more: C libraries do without the machine's own services (nscd, resolved) and without
        // netlink.
        refuse(&mut rules, libc::SYS_socket, &[(0, Ne, libc::AF_INET as u64), (0, Ne, libc::AF_INET6 as u64)])?;
        kinds_but(&mut rules, libc::SYS_socket, &[stream, datagram])?;
        // Landlock's ports are those of TCP: other protocols (MPTCP, SCTP, SMC) pass it.
        for (kind, protocol) in [(stream, tcp), (datagram, udp)] {
            refuse(&mut rules, libc::SYS_socket, &[(1, MaskedEq(KIND), kind), (2, Ne, 0), (2, Ne, protocol)])?;
        }
    } else {
        rules.insert(libc::SYS_socket, Vec::new());
    }
    // Data that connects, without the check of a connection.
    for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        refuse(&mut rules, call, &[(flags, MaskedEq(fast_open), fast_open)])?;
    }
    refuse(&mut rules, libc::SYS_setsockopt, &[(1, Eq, tcp), (2, Eq, UPPER_LAYER)])?;
    if !needs.attributes {
        // Times by name; those of an open file have no name. It is an address, of 64 bits.
        let named = SeccompCondition::new(1, SeccompCmpArgLen::Qword, Ne, 0)?;
        rules.insert(libc::SYS_utimensat, vec![SeccompRule::new(vec![named])?]);
    }
    Ok(rules)
}

/// Refuses a call where all the conditions hold.
fn refuse(rules: &mut Rules, call: i64, conditions: &[Condition]) -> Result<(), BackendError> {
    let condition = |(argument, how, value): &Condition| SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, how.clone(), *value);
    let conditions = conditions.iter().map(condition).collect::<Result<_, _>>()?;
    rules.entry(call).or_default().push(SeccompRule::new(conditions)?);
    Ok(())
}

/// Refuses sockets of all kinds but these.
fn kinds_but(rules: &mut Rules, call: i64, kinds: &[u64]) -> Result<(), BackendError> {
    (0..=KIND).filter(|kind| !kinds.contains(kind)).try_for_each(|kind| refuse(rules, call, &[(1, MaskedEq(KIND), kind)]))
}
