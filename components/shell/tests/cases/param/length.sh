x=hello; echo ${#x} ${#}; set -- a b; echo ${#} ${#@} ${#*}; y=éü; echo ${#y}
