"""A second, independent telling of the model: slow, obvious, in float64.

Nothing here imports the package under test. If the two agree, they agree because both follow the
same written description, not because they share a line.
"""
