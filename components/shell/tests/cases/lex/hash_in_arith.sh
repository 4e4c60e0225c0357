echo $((16#1f)) $(( 2#101 )) ${#HOME} >/dev/null; echo $((10#08))
