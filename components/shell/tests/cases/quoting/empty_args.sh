f() { echo $#; }; x=; f $x "" '' "$x" $x"" 
