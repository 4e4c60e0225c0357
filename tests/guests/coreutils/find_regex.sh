cd "$(mktemp -d)" || exit 1
mkdir d; touch d/foo1.txt d/bar22.txt d/x.c; find d -regex '.*/[a-z]+[0-9]+\.txt' | sort; find d -regex 'foo.*'; find d -regextype posix-extended -regex '.*/(foo|x)[0-9]*\.(txt|c)' | sort; find d -iregex '.*FOO.*'; find d -regextype egrep -regex '.*[0-9]{2}.*'; find d -regex '.*\(foo\|bar\).*' | sort
