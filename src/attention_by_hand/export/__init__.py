"""Take it with you: one module a format. Each has a visible map of names, and reads its own file back.

Nothing here is loaded by ``import attention_by_hand``.
"""
