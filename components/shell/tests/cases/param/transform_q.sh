x="it's a \"test\""; echo ${x@Q}; y=$'a\nb'; echo ${y@Q}; z=; echo "${z@Q}"
