x=heLLo; echo ${x@U} ${x@L} ${x@u}; y='a\tb'; echo "${y@E}"; declare -i n=5; echo ${n@a} ${n@A}
