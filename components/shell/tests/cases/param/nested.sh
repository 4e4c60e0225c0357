x=; y=; echo ${x:-${y:-${z:-deep}}}; a=abc; echo ${a#${a%c}}
