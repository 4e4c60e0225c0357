cd "$(mktemp -d)" || exit 1
ls nope; echo $?; ls --bad 2>/dev/null; echo $?; ls -l --time-style=bad . >/dev/null 2>&1; mkdir d; ls -d d/ d//; ls -d .
