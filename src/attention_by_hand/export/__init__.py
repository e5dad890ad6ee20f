"""Take it with you: one module a format, each with a visible map of names and shapes, each reading its own file back.

Nothing here is loaded by ``import attention_by_hand``.
"""
