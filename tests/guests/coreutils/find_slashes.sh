cd "$(mktemp -d)" || exit 1
mkdir -p d/e; touch d/e/f; find d/ | sort; find ./d//e; find . -path './d/e'; find /dev/null; cd d; find .. -name f; find $PWD -name f | grep -o 'd/e/f$'
