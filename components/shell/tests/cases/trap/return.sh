f() { trap 'echo ret' RETURN; echo in; }; f; echo out
