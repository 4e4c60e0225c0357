# getopt(1) as in util-linux: options first, quoted for `eval set --`.
t() { getopt "$@" 2>&1; echo "= $?"; }
t -o ab:c:: -- -a -b x -cfoo -c bar rest -- -a
t -o ab:c:: -l alpha,beta:,gamma:: -n prog -- --alpha --beta=x --beta y --gamma --gamma=z --gam --al "it's" ''
t -o a -- -z -a
t -o b: -- -b
t -o a -l foo,fob -- --fo
t -o a -l foo,foobar -n prog -- --foo --foob --x=1 --foo=1
t -o '' -l need: -- --need
t ab: -a -b 'x y' c
t -T
t -o
t
t -u -o a: -- -a 'x y' z
t -q -o a -- -z
t -Q -o a -- -a
t -o +ab: -- -a x -b y
t -o -ab: -- -a x -b y z
t -a -o ab -l alpha,bar: -- -alpha -bar 1 -ab -zed -al -b
t -s zsh -o a -- -a
t --options a --longoptions 'x, y:' --name n -- -a --y 1 --x
t -o a:: -l aa --long bb -- --aa --bb -a '' -ax
t -o a -- 'a
b' '$x' '`' '\'
script() {
    local opts
    opts=$(getopt -o vf:o: -l verbose,file:,output: -n script -- "$@") || return
    eval set -- "$opts"
    while true; do
        case $1 in
        -v | --verbose) echo verbose; shift ;;
        -f | --file) echo "file=$2"; shift 2 ;;
        -o | --output) echo "out=$2"; shift 2 ;;
        --) shift; break ;;
        esac
    done
    printf '<%s>' "$@"
    echo
}
script -v --file "a b" --out=x pos1 -f 'q"q' 'pos 2'
script --bad 2>&1
echo $?
