# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
args=(-v --name "a b" -- x y); set -- "${args[@]}"; while (($#)); do case $1 in -v) echo verbose;; --name) echo "name=$2"; shift;; --name=*) echo "n=${1#*=}";; --) shift; break;; -*) echo "bad $1";; *) break;; esac; shift; done; echo "rest: $*"
END_OF_SCRIPT
)
bash -c "$script" 2>&1
