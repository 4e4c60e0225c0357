cd "$(mktemp -d)" || exit 1
mkdir d; touch d/a; ln d/a d/b; find d -name 'a' -print -quit; find d -type f -quit; find d -links 2 | grep -v '^d$' | sort; find d -samefile d/a | sort; find d -type f -links +1 | wc -l; find d -inum $(stat -c %i d/a) | sort; find d -newer nope; echo $?; find d -user nosuchuser; echo $?
