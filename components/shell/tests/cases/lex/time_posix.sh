{ time -p true; } 2>&1 | wc -l | tr -d ' '
