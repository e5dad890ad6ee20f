"""The one error class for everything a person can get wrong."""


class InputError(ValueError):
    """Something a person gave cannot be used.

    The message is one line: what was wrong, and what is accepted. The command line
    prints it as it stands and leaves with exit code 2.
    """
