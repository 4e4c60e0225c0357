cd "$(mktemp -d)" || exit 1
find -nope; echo $?; find . -name; echo $?; find . -type q; echo $?; find . '(' -name a; echo $?; find . -size x; echo $?; find . -maxdepth x; echo $?; find . -exec echo {}; echo $?; touch a; find a nope; echo $?
