# Characters by name in brackets; descriptors that `test` checks; a replaced script on standard input.
case b in [[.a.]-[.c.]]) echo 1;; esac; case - in [[.hyphen.]a]) echo 2;; esac; case ']' in [[.].]]) echo 3;; esac
case x in [[.xy.]]) echo bad;; *) echo 4;; esac; case e in [[=e=]]) echo 5;; esac; case '-' in [a[.-.]z]) echo 6;; esac
[[ b =~ ^[[.a.]-[.c.]]$ ]] && echo 7; case z in [^[.a.]-[.c.]]) echo 8;; esac; echo "${x:=a-b}" "${x//[[.hyphen.]]/_}"
[ -r /dev/stdin ] && [ -w /dev/stdout ] && [ -w /dev/fd/2 ] && [ -e /dev/fd/0 ] && echo 9; [ -r /dev/fd/77 ] || echo 10
(test 1 -eq 2 -ne 3; echo $?; test a b c d; echo $?) 2>&1 | sed 's/^.*line [0-9]*: //'
echo 'echo from the other' > other
printf 'echo first\nexec 0< other\necho not run\n' > first
sh < first
