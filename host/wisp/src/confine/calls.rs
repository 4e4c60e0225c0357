//! seccomp: the system calls that are refused.
//!
//! The list names refused calls, not allowed ones: which calls a C library needs for a thread or a name lookup
//! differs between libraries. Calls newer than the list are refused as unknown, as by an older kernel.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
    apply_filter_all_threads, sock_filter,
};

use super::Held;

/// Calls with a number from here on did not exist when the list was made (Linux 6.18). Those of other kernel
/// interfaces (x32) are above it too.
const UNKNOWN: u32 = 471;

/// Refused whatever their arguments.
const REFUSED: &[i64] = &[
    // other programs and processes
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // another view of files, other rights
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mknodat,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_capset,
    libc::SYS_personality,
    // large parts of the kernel that no session needs
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    // the machine
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    // serving others
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
];

/// Calls that only this processor has.
#[cfg(target_arch = "x86_64")]
const OLD: &[i64] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_mknod,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_kexec_file_load,
    libc::SYS_uselib,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[i64] = &[];

/// Socket families that a network needs: the name resolver asks services of the machine, and asks the kernel for
/// addresses.
const FAMILIES: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Restricts all threads.
///
/// # Errors
/// Why no filter is in force.
pub(super) fn restrict(network: bool) -> Result<Held, String> {
    let program = program(network).map_err(|error| format!("no filter for this processor: {error}"))?;
    apply_filter_all_threads(&program).map_err(|error| format!("the kernel refused the filter: {error}"))?;
    Ok(Held::Fully)
}

/// The filter: refused calls fail with EPERM, unknown ones with ENOSYS.
#[allow(clippy::unnecessary_cast, reason = "the type of an ioctl differs between C libraries")]
fn program(network: bool) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().chain(OLD).map(|call| (*call, Vec::new())).collect();
    let when = |argument, operator, value: u64| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value);
    // A new process: a clone that is not a thread.
    let thread = libc::CLONE_THREAD as u64;
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![when(0, SeccompCmpOp::MaskedEq(thread), 0)?])?]);
    // Simulated input to the terminal.
    let ioctls = [libc::TIOCSTI, libc::TIOCLINUX].map(|code| SeccompRule::new(vec![when(1, SeccompCmpOp::Eq, code as u64)?]));
    rules.insert(libc::SYS_ioctl, ioctls.into_iter().collect::<Result<_, _>>()?);
    let others = FAMILIES.iter().map(|family| when(0, SeccompCmpOp::Ne, *family as u64)).collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_socket, if network { vec![SeccompRule::new(others)?] } else { Vec::new() });
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), architecture)?;
    let mut program = unknown();
    program.extend(BpfProgram::try_from(filter)?);
    Ok(program)
}

/// Precedes the filter: calls newer than the list do not exist, and neither does `clone3`, whose flags no filter can
/// see; C libraries fall back to `clone`.
fn unknown() -> BpfProgram {
    let code = |parts: u32| parts as u16;
    // In `struct seccomp_data` the number of the call comes first.
    let load = sock_filter { code: code(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS), jt: 0, jf: 0, k: 0 };
    let equals = |k, jt, jf| sock_filter { code: code(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K), jt, jf, k };
    let at_least = |k, jt, jf| sock_filter { code: code(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K), jt, jf, k };
    let refuse = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    vec![
        load,
        equals(libc::SYS_clone3 as u32, 1, 0),
        at_least(UNKNOWN, 0, 1),
        sock_filter { code: code(libc::BPF_RET | libc::BPF_K), jt: 0, jf: 0, k: refuse },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_filter_with_and_without_a_network() {
        let (without, with) = (program(false).unwrap(), program(true).unwrap());
        // It fits the kernel's maximum, and has a rule for the socket families.
        assert!(with.len() > without.len() && with.len() < 4096);
        // The filter's list contains every refused call.
        assert!(REFUSED.iter().chain(OLD).all(|call| (0..i64::from(UNKNOWN)).contains(call)));
    }
}
