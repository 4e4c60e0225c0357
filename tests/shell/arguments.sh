# Parse options as command-line tools do, with getopts and by hand.
usage() {
    cat <<EOF
Usage: tool [-hv] [-o FILE] [-n COUNT] [--dry-run] [--name=NAME] FILE...
EOF
}
short() {
    local OPTIND=1 OPTARG opt verbose=0 out=- count=1
    while getopts ':hvo:n:' opt "$@"; do
        case $opt in
            h) usage; return 0 ;;
            v) ((verbose++)) ;;
            o) out=$OPTARG ;;
            n)
                if [[ ! $OPTARG =~ ^[0-9]+$ ]]; then
                    echo "tool: -n wants a number, not '$OPTARG'"
                    return 2
                fi
                count=$OPTARG ;;
            :) echo "tool: -$OPTARG wants an argument"; return 2 ;;
            \?) echo "tool: unknown option -$OPTARG"; return 2 ;;
        esac
    done
    shift $((OPTIND - 1))
    echo "verbose=$verbose out=$out count=$count rest($#):${*:+ $*}"
}
long() {
    local dry= name=none positional=() debug=${DEBUG:-off}
    while (($#)); do
        case $1 in
            --dry-run) dry=yes ;;
            --name=*) name=${1#--name=} ;;
            --name) name=${2?--name wants a value}; shift ;;
            --) shift; positional+=("$@"); break ;;
            --*) echo "unknown ${1%%=*}"; return 2 ;;
            -?*) echo "short ${1:1}" ;;
            *) positional+=("$1") ;;
        esac
        shift
    done
    printf 'dry=%s name=%q debug=%s' "${dry:-no}" "$name" "$debug"
    ((${#positional[@]})) && printf ' <%s>' "${positional[@]}"
    echo
}
short -vv -o out.txt a b
short -vn3 -- -x
short -n x; echo "status $?"
short -o; echo "status $?"
short -z; echo "status $?"
short -h
short
long --dry-run --name 'two words' x -q -- --y
DEBUG=on long --name=a=b
long --bad=1; echo "status $?"
(long --name) 2>/dev/null; echo "status $?"
set -- one "two three" four
echo "$# first=$1 last=${!#} ${@:2:1}"
for arg; do echo "[$arg]"; done
shift 2
echo "$*"
