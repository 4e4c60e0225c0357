# The files that a shell reads before its script, and its options without a value.
mkdir home
echo 'echo "env [$0|$1] $-"' > env
echo 'echo profile' > home/.profile
echo 'echo logout' > home/.bash_logout
echo 'echo script $1' > script
BASH_ENV=./env bash -c 'echo command' name one
BASH_ENV='$PWD/env' bash ./script x
BASH_ENV=./env bash -p -c 'echo privileged'
BASH_ENV=./env bash --posix -c 'echo posix'
BASH_ENV=./missing bash -c 'echo missing'
export HOME=$PWD/home
bash -l -c 'echo login; exit 3'; echo $?
bash --login --noprofile -c 'echo no profile'
bash -O | head -n 2
bash +O | head -n 2
bash +o | head -n 2
bash --verbose -c 'echo verbose' 2>&1
bash --rcfile 2>&1; echo $?
SHLVL=1000 bash -c 'echo $SHLVL' 2>&1
shopt -su extglob 2> /dev/null; echo $?
