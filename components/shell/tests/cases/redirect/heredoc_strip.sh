cat <<-EOF
	tabbed
		more
	EOF
echo end
