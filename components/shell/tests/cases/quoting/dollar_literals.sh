echo $ "$" a$ "a$ b" $% "$."
