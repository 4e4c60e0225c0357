echo a\ b \$x \"q\" \'s\' \\ \# \* \~
