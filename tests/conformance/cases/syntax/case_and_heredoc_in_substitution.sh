exec 2>&1
echo $(case x in x) echo paren;; esac) $(cat <<E
body )
E
) $(# comment )
echo c)
