echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}; echo "${BASH_SOURCE[0]##*/}" "${FUNCNAME[0]-none}"; echo $((LINENO))
