exec 2>&1
}
