[ ~ = "$HOME" ] && echo 1; [ ~/x = "$HOME/x" ] && echo 2; echo "~" '~' a~ \~; x=~/y; [ "$x" = "$HOME/y" ] && echo 3; cd /; [ ~+ = / ] && echo 4; echo --f=~
