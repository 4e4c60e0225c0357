touch a b c 1 2 A; echo [ab] [0-9] [!a-c] [[:digit:]] [^0-9] [[:upper:]]
