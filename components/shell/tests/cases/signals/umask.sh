umask; umask -S; umask -p; umask -pS
umask 027; umask; : > f; mkdir d; stat -c %a f d
umask u=rwx,g=rx,o=; umask; umask -S
umask g+w; umask; umask o=u-x; umask; umask a-w; umask; umask u+w,go-rwx; umask
umask 0; : > g; mkdir e; stat -c %a g e
bash -c 'umask; : > h; stat -c %a h'
( umask 077; : > i; stat -c %a i; touch j; stat -c %a j )
umask; touch k; stat -c %a k
umask 999; echo $?
umask u=q; echo $?
umask -x; echo $?
umask 1234; umask; umask 00022; umask
umask =; umask; umask a=rx; umask -S
