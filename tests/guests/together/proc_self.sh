# What programs read in /proc, in Linux's formats.
awk '{ print NF, $2, $3, ($4 > 0), $20 }' /proc/self/stat
awk '{ print NF, ($1 > 0), ($1 == $2) }' /proc/self/statm
grep -E '^Max (open files|processes|core file|address space)' /proc/self/limits | tr -s ' '
(ulimit -n 64 -u 20 -Sv 400000; grep -E '^Max (open files|processes|data size|address space)' /proc/self/limits | tr -s ' ')
cmp /proc/mounts /proc/self/mounts && head -n 1 /proc/self/mounts
cat /proc/filesystems
grep -cE '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' /proc/sys/kernel/random/uuid
test "$(cat /proc/sys/kernel/random/uuid)" != "$(cat /proc/sys/kernel/random/uuid)" && echo different
awk '/^cpu/ { print $1, NF } /^(btime|procs_running)/ { print $1, ($2 > 0) }' /proc/stat
test "$(awk '/^btime/ { print $2 }' /proc/stat)" -le "$(date +%s)" && echo "started in the past"
python3 -c '
import os
fields = open("/proc/self/stat").read().rsplit(")", 1)[1].split()
print(len(fields), int(fields[1]) == os.getppid(), int(fields[20]) > 1 << 20)
print(open("/proc/self/cmdline", "rb").read().split(b"\0")[:2], os.readlink("/proc/self/exe"), open("/proc/self/comm").read().strip())'
