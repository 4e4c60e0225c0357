cd /; pushd /tmp >/dev/null; dirs; echo ${DIRSTACK[1]}; pushd >/dev/null; dirs -p; dirs -v; dirs -c; dirs
