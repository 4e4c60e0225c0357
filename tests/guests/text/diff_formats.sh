# User-defined formats, RCS format, colors, #ifdef.
cd "$(mktemp -d)"
printf 'alpha 1\nbeta 22\ngamma 333\nalpha 4\n\ndelta 5 x\n' > a
printf 'alpha 1\nbeta 23\ngamma 333\nomega 9\n\ndelta 5 x\nend\n' > b
printf 'no newline' > c
diff -n a b
diff -D FOO a b
diff -D FOO a a
diff --line-format='%3dn %l
' a b
diff --unchanged-line-format= --old-line-format='-%L' --new-line-format='+%L' a b
diff --changed-group-format='%>' --unchanged-group-format='' a b
diff --old-group-format='old %dn %df,%dl(%<)' --new-group-format='new %dN %dF-%dL
%>' --changed-group-format='chg %(N=1?one:many) %de %dM
%<---
%>' --unchanged-group-format='same %dn
' a b
diff --color=always a b | sed 's/\x1b/ESC/g'
diff --color=always --label a --label b -u a b | sed 's/\x1b/ESC/g'
diff --color=always --label a --label b -c a b | sed 's/\x1b/ESC/g'
diff --color=always a c | sed 's/\x1b/ESC/g'
diff -y -W 40 a a
mkdir -p old/sub new; printf 'gone\n' > old/sub/f; printf 'kept\n' > old/k; cp old/k new
diff -ruN old new > p; (cd old && patch -p1 < ../p && ls -R)
