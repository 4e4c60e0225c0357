mkdir -p d/e f; touch d/x d/e/y f/x; echo */x */ d/*/* */*
