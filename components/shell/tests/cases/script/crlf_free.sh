x=1;  # spaces
	echo tab
   echo   many    spaces
