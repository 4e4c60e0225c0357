cd "$(mktemp -d)" || exit 1
mkdir d; for i in 1 2 3; do echo line$i > "d/f $i"; done; find d -type f -print0 | sort -z | xargs -0 cat; find d -type f -print0 | xargs -0 -I{} basename {} | sort; find d -type f -print0 | xargs -0 grep -l line2; echo hi | xargs cat < /dev/null; ls d | xargs -d '\n' -n 1 echo '>'
