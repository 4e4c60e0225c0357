exec 2>&1
x=aXbXc; echo ${x#*X} ${x##*X} ${x%X*} ${x%%X*} ${x/X/} ${x//X} ${x/#a/Z} ${x/%c/Z} ${x//[Xb]/-} ${x/X/\/} "${x//X/ }" ${x//X/"$x"}; p='*X'; echo ${x#$p} ${x#"$p"} "${x#$p}"; echo ${x/\X/Q} ${x//\*/Q}; y='a/b/c'; echo ${y##*/} ${y%/*} ${y//\//:} ${y/\//}; z='  sp  '; echo "[${z# }]" "[${z## }]" "[${z%%*( )}]"; shopt -s extglob; echo "[${z##*( )}]" "[${z%%*( )}]" ${x//+(X|b)/_}
