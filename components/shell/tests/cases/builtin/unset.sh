x=1; unset x; echo [${x-unset}]; f() { :; }; unset f; type f 2>/dev/null; echo $?; a=(1 2); unset a[0]; echo ${a[@]}; unset nope; echo $?; unset -v x; unset 'bad name' 2>/dev/null; echo $?
