mkdir -p d/e; touch d/x d/e/y; find d -type f -execdir echo {} \; | sort; find d -name y -execdir sh -c 'pwd' \; | sed 's/.*\///'; find d -type f -execdir echo {} + | sort
