exec {fd}> f; echo hi >&$fd; exec {fd}>&-; cat f; [ $fd -ge 10 ] && echo high
