# mkfifo and mknod: modes, messages, statuses.
cd "$(mktemp -d)" || exit 1
exec 2>&1
umask 022
mkfifo a b; echo $?; stat -c '%n %F %a %A %s %h %b' a b
mkfifo a c no/d a/e ''; echo $?; [ -p c ] && echo made
mkfifo -m 600 m1; mkfifo -m u=rw,g=r,o= m2; mkfifo -m a=rw m3; mkfifo --mode=+x m4; mkfifo -Z m5
stat -c '%n %a' m1 m2 m3 m4 m5
(umask 077; mkfifo u1; mkfifo -m 666 u2; stat -c '%n %a' u1 u2)
mkfifo -m 1600 x; echo $?; mkfifo -m z x; echo $?; mkfifo; echo $?; mkfifo -q x; echo $?
mkfifo -- -x; ls -- -x
mknod n p; mknod -m 611 n2 pipe; stat -c '%n %F %a' n n2
mknod n p; echo $?
mknod; mknod d; mknod d x; mknod d c; mknod d c 1; mknod d p 1; mknod d p 1 2; mknod d p 1 2 3; mknod d c 1 3 4; mknod d z 1 3; echo $?
mknod dev c 1 3; echo $?; mknod -m 600 dev b 8 0; echo $?
mknod -m 1611 d p; mknod -m z d p; echo $?
ls
