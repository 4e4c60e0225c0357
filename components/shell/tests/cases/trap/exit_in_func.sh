f() { trap 'echo cleanup' EXIT; echo work; }; f; echo after
