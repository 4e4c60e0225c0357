SHLVL=3 sh -c 'echo $SHLVL'; env -i PATH=$PATH sh -c 'echo [$FOO]'
