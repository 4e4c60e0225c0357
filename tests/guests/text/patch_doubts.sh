export LC_ALL=C TZ=UTC0
cd "$(mktemp -d)" || exit 1
p() { echo "== patch $*"; patch "$@" 2>&1; echo "[$?]"; }
echo '# already there'
printf 'abc\ndef\n123\n' > i; printf -- '--- i\n+++ i\n@@ -1,2 +1,3 @@\n abc\n+def\n 123\n' > i.diff
p < i.diff; p -N < i.diff; p -t < i.diff; cat i; p -f < i.diff; cat i; rm -f i.*rej i.orig
echo '# there, not there, empty'
echo one > c; printf -- '--- /dev/null\n+++ c\n@@ -0,0 +1 @@\n+two\n' > c.diff; p < c.diff; p -f < c.diff; p -t < c.diff; cat c
printf -- '--- d\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n' > d.diff; p -p0 -f < d.diff; : > d; p -p0 -f < d.diff; printf 'one\nmore\n' > d; p -p0 < d.diff; cat d; ls d*
printf 'one\n' > u; printf -- '--- u\t2024-01-01 00:00:00 +0000\n+++ u\t1970-01-01 01:00:00 +0100\n@@ -1 +0,0 @@\n-one\n' | p; ls u 2>&1
printf 'one\n' > v; printf -- '--- v\n+++ v\n@@ -1 +0,0 @@\n-one\n' | p; stat -c %s v
echo '# several patches of one file: backup, rejects, output'
seq 3 > s; for i in 1 2 3; do printf -- '--- s\n+++ s\n@@ -%s +%s @@\n-%s\n+x%s\n' $((i+1)) $((i+1)) $i $i; done > s.diff; p --verbose < s.diff | grep Hunk; cat s.orig s
for i in 7 8; do printf -- '--- s\n+++ s\n@@ -%s +%s @@\n-%s\n+x%s\n' $i $i $i $i; done > r.diff; p < r.diff; cat s.rej; p -r all.rej < r.diff; cat all.rej; seq 2 > w; printf -- '--- w\n+++ w\n@@ -1 +1 @@\n-1\n+A\n--- w\n+++ w\n@@ -2 +2 @@\n-2\n+B\n' | p -o out; cat out
printf '*** s\n--- s\n***************\n*** 1,3 ****\n  q\n! w\n  e\n--- 1,3 ----\n  q\n! W\n  e\n' | p; cat s.rej; p --reject-format=unified < <(printf '3c3\n< no\n---\n> yes\n') s; cat s.rej
echo '# may not be written, is a link, asks for another folder'
echo 1 > r; chmod 444 r; printf -- '--- r\n+++ r\n@@ -1 +1 @@\n-1\n+2\n' > ro.diff; for how in fail warn ignore; do p --read-only=$how < ro.diff; done; ln -s v l; printf -- '--- l\n+++ l\n@@ -0,0 +1 @@\n+2\n' | p; printf -- '--- a\n+++ ../g\n@@ -1 +1 @@\n-1\n+2\n' | p -f -p0; printf -- '--- /dev/null\n+++ ../g\n@@ -0,0 +1 @@\n+2\n' | p -f -p0
printf -- '--- v\n+++ v\n@@ -1,2 +1 @@\n-1\n?\n' | p; printf '1c1\n< 1\n---\n> 2\n' | p; echo 1 > v; SIMPLE_BACKUP_SUFFIX=.bak PATCH_VERSION_CONTROL=numbered p -b v <<< $'1c1\n< 1\n---\n> 2'; ls v*
