# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
{ time true; } 2>&1 | grep -c real; times | wc -l; ulimit -n >/dev/null && echo ok; enable -n echo; type echo; enable echo; type -t echo; help cd >/dev/null && echo helped; shopt -q extglob; echo $?; shopt -s extglob; shopt extglob; set -o | grep errexit; set -f; echo *; set +f; set -- a b; echo $2; set a; echo $1 $#; set -; shift 5; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
