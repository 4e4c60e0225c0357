//! seccomp: the system calls that are refused.
//!
//! The list names refused calls, not allowed ones: which calls a C library needs for a thread or a name lookup
//! differs between libraries. Calls newer than the list are refused as unknown, as by an older kernel.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter_all_threads, sock_filter};

use super::arguments::{self, Needs};
use super::held::Held;

/// Calls with a number from here on are newer than Linux 6.12, and no library calls them without another way: some change
/// the attributes of files by name. Those of other kernel interfaces (x32) are above it too.
const UNKNOWN: u32 = 463;

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
    libc::SYS_tkill,
    libc::SYS_ioprio_set,
    // what processes share by a number or a name that is no file
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // owners and extended attributes of files, for which Landlock has no right, and what happens in any folder
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
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
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    // serving others
    libc::SYS_listen,
    libc::SYS_accept,
];

/// Serving those who connect to a listener that is open, unless that is needed.
const ACCEPT: &[i64] = &[libc::SYS_accept4];

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
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_inotify_init,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD: &[i64] = &[];

/// Modes of files, unless they are needed: Landlock has no right for them. The number of `fchmodat2` is the same on every
/// processor.
const MODES: &[i64] = &[libc::SYS_fchmod, libc::SYS_fchmodat, 452];

/// Modes and times by name, in calls that only this processor has.
#[cfg(target_arch = "x86_64")]
const OLD_ATTRIBUTES: &[i64] = &[libc::SYS_chmod, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const OLD_ATTRIBUTES: &[i64] = &[];

/// Restricts all threads.
///
/// # Errors
/// Why no filter is in force.
pub(super) fn restrict(needs: Needs) -> Result<Held, String> {
    let program = program(needs).map_err(|error| format!("no filter for this processor: {error}"))?;
    apply_filter_all_threads(&program).map_err(|error| format!("the kernel refused the filter: {error}"))?;
    Ok(Held::Fully)
}

/// Returns the filter: refused calls fail with EPERM, unknown ones with ENOSYS.
fn program(needs: Needs) -> Result<BpfProgram, seccompiler::BackendError> {
    let attributes = [MODES, OLD_ATTRIBUTES].into_iter().filter(|_| !needs.attributes).flatten();
    let mut rules = arguments::rules(needs, std::process::id())?;
    let accept = ACCEPT.iter().filter(|_| !needs.accept);
    rules.extend(REFUSED.iter().chain(OLD).chain(attributes).chain(accept).map(|call| (*call, Vec::new())));
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
    fn there_is_a_filter_for_whatever_is_needed() {
        let length = |network, attributes| program(Needs { network, attributes, accept: false }).unwrap().len();
        // It fits the kernel's maximum, has rules for sockets, and fewer if attributes are needed.
        assert!(length(true, false) > length(false, false) && length(false, false) > length(false, true));
        assert!(length(true, false) < 4096);
        // The filter's list contains every refused call, and none has rules for its arguments.
        let all = || REFUSED.iter().chain(OLD).chain(MODES).chain(OLD_ATTRIBUTES).chain(ACCEPT);
        assert!(all().all(|call| (0..i64::from(UNKNOWN)).contains(call)));
        let rules = arguments::rules(Needs { network: true, attributes: false, accept: false }, 1).unwrap();
        assert!(all().all(|call| !rules.contains_key(call)));
    }
}
