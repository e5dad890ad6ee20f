"""Kernels to LLVM IR by Numba, IR to WebAssembly by LLVM. All compile options live in this file."""

import os

os.environ["NUMBA_OPT"] = (
    "0"  # Numba's own passes tune for the machine at hand; the module must not depend on it.
)

import inspect
import subprocess
import sys
import tempfile
import types as python_types
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numba
from llvmlite import binding as llvm
from numba import types as nb

import attention_by_hand.kernels as kernels_package

TRIPLE = "wasm32-unknown-unknown"
WIDE_TRIPLE = "wasm64-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals"
JIT_OPTIONS: dict[str, Any] = {
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "error_model": "numpy",
    "fastmath": False,
}


def numba_type(annotation: Any) -> Any:
    """The Numba type of a kernel annotation from `kernels.types`."""
    if get_origin(annotation) is Annotated:
        array, dimensions = get_args(annotation)
        cell = nb.uint32 if "uint32" in str(array) else nb.float32
        return nb.Array(cell, dimensions, "C")
    names = {"float32": nb.float32, "uint64": nb.uint64, "int": nb.int64, "NoneType": nb.void}
    return names[annotation.__name__]


class Compiler:
    """Compiles kernels, each once, and keeps their IR."""

    def __init__(self) -> None:
        self._compiled: dict[Callable[..., Any], Any] = {}

    def compile(self, function: Callable[..., Any]) -> str:
        """Compile one kernel and what it calls; returns its symbol in the IR."""
        return str(self._jit(function).overloads[self._signature(function)].fndesc.llvm_func_name)

    def module(self, glue: str, functions: Iterable[Callable[..., Any]]) -> llvm.ModuleRef:
        """One LLVM module from the given kernels and hand-made IR that calls them."""
        whole = llvm.parse_assembly(_retarget(glue))
        for function in functions:
            library = self._jit(function).overloads[self._signature(function)].library
            whole.link_in(llvm.parse_assembly(_retarget(library.get_llvm_str())))
        return whole

    @staticmethod
    def _signature(function: Callable[..., Any]) -> tuple[Any, ...]:
        hints = get_type_hints(function, include_extras=True)
        return tuple(numba_type(hints[name]) for name in inspect.signature(function).parameters)

    def _jit(self, function: Callable[..., Any]) -> Any:
        if function not in self._compiled:
            # The kernel's own globals, with the helpers it calls replaced by their compiled forms.
            scope = dict(function.__globals__)
            for name in function.__code__.co_names:
                helper = scope.get(name)
                if isinstance(helper, python_types.FunctionType) and helper.__module__.startswith(
                    kernels_package.__name__
                ):
                    scope[name] = self._jit(helper)
            body = python_types.FunctionType(function.__code__, scope, function.__name__)
            returns = numba_type(get_type_hints(function, include_extras=True)["return"])
            self._compiled[function] = numba.njit(returns(*self._signature(function)), **JIT_OPTIONS)(body)
        return self._compiled[function]


def _retarget(ir: str) -> str:
    keep = [line for line in ir.splitlines() if not line.startswith(("target triple", "target datalayout"))]
    return f'target triple = "{TRIPLE}"\n' + "\n".join(keep)


def optimise(module: llvm.ModuleRef, exports: set[str]) -> bytes:
    """Internalize all but the exports, run the O3 pipeline with SIMD, emit a wasm32 object file.

    Numba's indices have 64 bits. With pointers of 32 bits LLVM has to cut every index down and then no
    longer sees which cells lie side by side, so loops of eight stay scalar. The pipeline therefore runs for
    wasm64, whose pointers have 64 bits too; only the code is emitted for wasm32.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    for function in module.functions:
        if not function.is_declaration and function.name not in exports:
            function.linkage = "internal"
            if not function.name.startswith("call."):
                function.add_function_attribute("alwaysinline")
    for variable in module.global_variables:
        variable.linkage = "internal"
    wide = _machine(WIDE_TRIPLE)
    module.data_layout = str(wide.target_data)
    module.triple = WIDE_TRIPLE
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = True
    tuning.slp_vectorization = True
    tuning.loop_unrolling = True
    builder = llvm.create_pass_builder(wide, tuning)
    builder.getModulePassManager().run(module, builder)
    machine = _machine(TRIPLE)
    module.data_layout = str(machine.target_data)
    module.triple = TRIPLE
    return bytes(machine.emit_object(module))


def _machine(triple: str) -> llvm.TargetMachine:
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )


def link(code: bytes, exports: Iterable[str], base: int, target: Path) -> None:
    """Link one object into a module with exported memory, data from byte `base` on, and no imports."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.o"
        source.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", str(source), "-o", str(target), "--no-entry"]
        command += [f"--export={name}" for name in exports]
        command += [
            f"--global-base={base}",
            "-z",
            f"stack-size={base}",
            "--stack-first",
            "--strip-all",
            "--gc-sections",
        ]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"wasm-ld failed: {done.stderr.strip()}")
