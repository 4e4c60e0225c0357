[ a \< b ] && echo lt; [ b \> a ] && echo gt; [ "-f" = "-f" ] && echo dash; [ "(" = "(" ] && echo paren; [ -n ] && echo single
