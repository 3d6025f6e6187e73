-- Statistics for the planner, and visibility maps, before the first measured statement.

vacuum analyze;
