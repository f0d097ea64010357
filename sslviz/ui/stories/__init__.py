"""Stories on the pages: the panel of a step, its question and goal, and how steps are opened."""
