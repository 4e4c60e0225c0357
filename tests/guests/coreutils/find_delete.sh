cd "$(mktemp -d)" || exit 1
mkdir -p d/e; touch d/a.tmp d/e/b.tmp d/keep; find d -name '*.tmp' -delete; find d | sort; find d -name e -delete; find d -delete; echo $?; ls -d d; mkdir f; touch f/x; find . -name f -delete; echo $?; ls f
