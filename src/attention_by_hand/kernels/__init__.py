"""The arithmetic of the model, written once.

Plain loops over arrays that the caller owns. A kernel returns nothing, allocates nothing
and raises nothing. Every sum starts at 0 and takes its terms in ascending order, one
float32 rounding per operation. The build compiles these functions to WebAssembly;
the tests also run them as they stand, as ordinary Python.

Shape letters: ``n`` rows (tokens of a prompt, or nodes of the prefix tree), ``T`` source
positions a row may read, ``D`` model width, ``C`` width of one head, ``V`` vocabulary.
"""
