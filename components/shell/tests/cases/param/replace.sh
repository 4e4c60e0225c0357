x=banana; echo ${x/a/X} ${x//a/X} ${x/#b/X} ${x/%a/X} ${x//an} ${x/z/y}
