printf hello > f; chmod 644 f; touch -d '2001-02-03' f; find f -ls | awk '{print $3, $4, $7, $8, $9, $10, $11}'
