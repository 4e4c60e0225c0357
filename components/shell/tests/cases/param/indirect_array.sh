arr=(1 2 3); r='arr[1]'; echo ${!r}; r='arr[@]'; echo "${!r}"
