# Corner cases of pushd, popd and DIRSTACK. The path of the folder is left out.
here=$PWD HOME=/none
t() { "$@" > "$here/out" 2>&1; local status=$?; sed "s#$here#.#g; s#^.*: line [0-9]*: ##" "$here/out"; echo "$* = $status"; }
d() { dirs -l | sed "s#$here#.#g"; }
mkdir -p a b c
cd a; cd ../b; t pushd -; d; t pushd; d
dirs -c; cd "$here"; pushd a > /dev/null; pushd ../b > /dev/null
t popd -n +0; d; t popd -n +1; d; t popd -n -0
cd "$here"; dirs -c; pushd a > /dev/null; pushd ../b > /dev/null
DIRSTACK[1]=/tmp; d; DIRSTACK[7]=/x; d; popd > /dev/null; echo $PWD
cd "$here"; dirs -c; pushd a > /dev/null; pushd ../b > /dev/null; rmdir ../a
t popd; d; t popd; d; popd -n +1 > /dev/null; d
cd "$here"; dirs -c; mkdir a; pushd a > /dev/null; pushd ../c > /dev/null
t pushd -n; d; t pushd -n +1; d; t pushd -n x; d; t pushd a b
cd "$here"; mkdir -p g/h; cd g/h; rmdir ../h; cd ../../b && d
