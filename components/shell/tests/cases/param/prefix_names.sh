foo_a=1 foo_b=2; echo ${!foo_*} "${!foo_@}"
