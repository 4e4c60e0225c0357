echo if then else fi for do done case esac while { } ! in function time select [[ ]]
