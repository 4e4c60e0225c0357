printf -v x '%03d' 7; echo $x; printf -v a[2] 'el'; echo ${a[2]}; printf '%s' "" ; printf '%(%Y)T\n' 0; TZ=UTC printf '%(%F %T)T\n' 86400
