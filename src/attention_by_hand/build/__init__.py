"""Builds what the package carries: kernel.wasm, ledger.json and the page. Not imported at run time."""
