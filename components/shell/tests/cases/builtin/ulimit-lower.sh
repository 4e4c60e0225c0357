# Limits go down, for the shell and what it starts; a subshell has limits of its own. The numbers are between what this
# shell keeps for itself when it runs natively (200) and the default of the policy (256).
cat > s.sh <<'SCRIPT'
ulimit -n 250; ulimit -n; ulimit -Hn
(ulimit -n 245; ulimit -n; bash -c 'ulimit -n'); ulimit -n; bash -c 'ulimit -n'
x=$(ulimit -Sn 240; bash -c 'ulimit -Sn; ulimit -Hn'); echo $x; ulimit -Sn
ulimit -n 251; echo $?
ulimit -Sn 244; ulimit -Sn; ulimit -Hn; ulimit -n hard; ulimit -n; ulimit -n soft
ulimit -Hn 10; ulimit -n 1.5; ulimit -n x; ulimit -nc; echo $?; ulimit -k; echo $?
ulimit -n248 -c 0; ulimit -n -c; ulimit -c
ulimit -n unlimited; ulimit -Sn unlimited; ulimit -c 5
{ ulimit -n 243; bash -c 'ulimit -n'; } & wait
(ulimit -n 242; bash -c 'ulimit -n 243; ulimit -n 241; ulimit -n'; (ulimit -n 240; bash -c 'ulimit -n'); bash -c 'ulimit -n'); ulimit -n
ulimit -t 20; ulimit -t; (ulimit -v 400000; ulimit -tv; ulimit -t -v); (ulimit -t 10; bash -c 'ulimit -t'); bash -c 'ulimit -t'
ulimit -f; ulimit; ulimit -n --; ulimit -Sa | grep -E 'open files|cpu time'
SCRIPT
bash s.sh 2>&1
