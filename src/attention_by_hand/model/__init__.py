"""The model as a table: sizes, tensors, rows of kernel calls, and where each tensor lies in memory."""
