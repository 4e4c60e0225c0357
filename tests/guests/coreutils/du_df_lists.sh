# Lists of names, patterns of a file, columns of df.
cd "$(mktemp -d)"
exec 2>&1
try() { echo "+ $*"; "$@"; echo "status $?"; }
mkdir -p a/b; printf 12345 > a/f; printf 123 > a/b/g; printf x > a/b/h.o
printf 'a/b\0a/f\0' > list; printf '*.o\n' > not
try du -ab --apparent-size a/f a/b/g
try du --files0-from=list --inodes
printf 'a/f\0' | try du --inodes --files0-from=-
try du --files0-from=list a
try du --inodes -X not a
try du --inodes -a --exclude=b a
touch -d '2024-01-02 03:04:05 UTC' a/f
try du --inodes --time --time-style=full-iso a/f
try du -sa a
try df --output=nothing
try df --output=source,source
try df -i --output=source
df --output=target,pcent . | head -n 1
stat --printf='%a\t%s\n\101\x42\\' a/f; echo
touch -d '2024-01-02 03:04:05.123456789 UTC' a/f; stat -c '%.3Y %.9Y %Y' a/f
