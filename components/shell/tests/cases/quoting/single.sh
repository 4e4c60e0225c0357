echo 'a $b `c` \n "d"'
