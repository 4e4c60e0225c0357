# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
declare -A m; m[]=x; echo $?; a[-1]=x; echo $?; a=(1); a[-5]=x; echo $?; echo ${a[-5]}; unset 'a[-5]'; echo $?; declare 1x=3; echo $?; export 'a b=c'; echo $?; local x; echo $?; readonly; unset; echo $?; shift -1; echo $?; shift a; echo $?; return; echo $?; break; echo $?; exit abc
END_OF_SCRIPT
)
bash -c "$script" 2>&1
