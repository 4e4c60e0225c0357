exec 2>&1
echo ~ ~/x "~" ~root ~nosuch; x=~; echo $x; y=a:~:b; echo $y; z="~"; echo $z; echo ~+ ~-; PATH_=~/bin:~/lib; echo $PATH_; HOME=/h; echo ~; unset HOME; echo ~ | grep -c .; echo a~ ~a~; echo --x=~; f=~/q; echo "$f"; [[ ~ == ~ ]] && echo m; case ~ in ~) echo c;; esac; echo ${u:-~} "${u:-~}"
