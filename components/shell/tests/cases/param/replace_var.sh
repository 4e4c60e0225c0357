x=path/to/file; s=/; r=:; echo ${x//$s/$r} "${x//\//\\/}"
