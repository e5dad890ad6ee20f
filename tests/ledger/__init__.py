"""Tests of the ledger: its formulas, names, explanations and renderings."""
