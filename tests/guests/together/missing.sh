# What is not here: bash's words, then what does the work, where something does.
vim notes.txt 2>&1
git status 2>&1 || echo "status $?"
nosuchtool 2>&1 || echo "status $?"
