x=$(false); echo $?; y=$(exit 4); echo $?; echo $(false) $?; local_test() { local z=$(false); echo $?; }; local_test
