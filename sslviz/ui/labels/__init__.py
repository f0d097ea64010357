"""The label lab: groups of points, the next point to label, labels as files."""
