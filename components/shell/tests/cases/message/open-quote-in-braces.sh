# What bash misses at the end of a script that leaves a quote open within braces.
for text in 'echo "${x"' 'echo ${x"' "echo \"\${x'\"" 'echo ${x' 'echo "${x:-"'; do
    bash -c "$text" 2>&1 | sed 's/.*line 1: //'
done
