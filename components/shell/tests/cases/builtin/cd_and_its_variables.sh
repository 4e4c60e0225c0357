# PWD and OLDPWD as variables of a script: read-only, local, unset.
(readonly PWD; cd /tmp 2> /dev/null; echo $?; pwd)
(readonly OLDPWD; cd /tmp 2> /dev/null; echo $? $PWD)
(cd /usr; unset PWD; cd /tmp; declare -p PWD OLDPWD; cd /; declare -p PWD OLDPWD)
f() { local PWD OLDPWD; cd /tmp; echo "$PWD [$OLDPWD]"; }
(cd /usr; f; echo $PWD; pwd)
(cd /usr; PWD=/x; cd /tmp; echo $OLDPWD)
