exec 2>&1
select x in a b; do echo "got $x $REPLY"; break; done <<< "2"; select y in p q; do echo $y; done <<< ""; echo end; PS3='? '; select z; do echo $z; done < /dev/null
