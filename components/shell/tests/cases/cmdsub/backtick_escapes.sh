x='a$b'; echo `echo \$x` `echo '\\n'` "`echo \"q\"`"
