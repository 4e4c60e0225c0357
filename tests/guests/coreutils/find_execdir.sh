cd "$(mktemp -d)" || exit 1
mkdir -p d/e; touch d/x d/e/y; find d -type f -execdir echo {} \; | sort; find d -name y -execdir sh -c 'pwd' \; | grep -o '[^/]*$'; find d -type f -execdir echo {} + | sort
