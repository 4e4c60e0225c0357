# The command line registers no functions: what is shown here are the refusals.
host --help | head -n 1
host; echo $?
host --what; echo $?
host --list; echo $?
host search --query x; echo $?
host search '{'; echo $?
host search '{"query": "x"}'; echo $?
