"""Every matrix by name: what it is, how each of its cells is made, and where it lies in memory."""
