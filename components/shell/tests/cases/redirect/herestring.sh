cat <<< "hello world"; x="a b"; read p q <<< $x; echo $q; cat <<< 'single $x'
