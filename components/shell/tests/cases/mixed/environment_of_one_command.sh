export A=1; env | grep '^A='; A=2 env | grep '^A='; env -u A sh -c 'echo ${A-unset}'; unset A; echo ${A-gone}
