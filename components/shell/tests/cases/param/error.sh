(unset x; echo ${x?} ) 2>/dev/null; echo $?; (x=; : ${x:?custom msg}) 2>&1 | while IFS= read -r l; do echo "${l#*: }"; done
