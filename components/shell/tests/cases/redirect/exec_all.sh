(exec > f; echo in file; ls /nope 2>/dev/null; echo more); cat f
