# The character that bash reports as missing if a script ends with an open quote within braces.
for text in 'echo "${x"' 'echo ${x"' "echo \"\${x'\"" 'echo ${x' 'echo "${x:-"'; do
    bash -c "$text" 2>&1 | sed 's/.*line 1: //'
done
