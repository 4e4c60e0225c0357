f() { echo "f $# $1"; return 3; }; f a b; echo $?; function g { echo g; }; g; function h() { echo h; }; h
