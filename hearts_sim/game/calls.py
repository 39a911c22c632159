"""How the loop calls a compiled strategy: by address, with what it needs most and its answer in registers.

numba's own functions hand results over through memory. At a table of quick strategies each card waits for the last,
and a store and a load in that chain cost as much as the choice itself. So a strategy's method is compiled together
with an entry of its own: it writes the seat's legal cards and the card that is winning into the records, where the
method finds them, and returns the answer and whether the method raised in two registers. Inlined into the entry, the
method's reads of those two never leave the processor.

This is done where numba allows it, in a compiler pipeline of our own: the entry takes the place of the C wrapper that
numba would make, and is cached with the method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.ir as llvm
import numba
import numpy as np
from numba import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from hearts_sim.game.table import SEAT, TABLE, SeatType, TableType

SIGNATURE = types.uint64(TableType, SeatType)
_WORD = llvm.IntType(64)
_ANSWER = llvm.LiteralStructType([_WORD, _WORD])


def _make_entry_type(context: Any) -> llvm.FunctionType:
    """Return the type of an entry: (table, me, legal cards, best card) to (answer, failed)."""
    records = [context.get_value_type(record) for record in (TableType, SeatType)]
    return llvm.FunctionType(_ANSWER, [*records, _WORD, _WORD])


def _write(builder: Any, record: Any, layout: np.dtype[Any], name: str, word: Any) -> None:
    """Write a word into a field of a record."""
    fields: Any = layout.fields
    offset = fields[name][1]
    field = builder.gep(builder.bitcast(record, llvm.IntType(8).as_pointer()), [llvm.Constant(_WORD, offset)])
    builder.store(word, builder.bitcast(field, _WORD.as_pointer()))


class _Lower(Lower):
    def create_cfunc_wrapper(self) -> None:
        """Make the entry instead of a C wrapper."""
        context, described = self.context, self.fndesc
        module = context.create_module("strategy_entry")
        kind = context.call_conv.get_function_type(described.restype, described.argtypes)
        method = llvm.Function(module, kind, described.llvm_func_name)
        entry = llvm.Function(module, _make_entry_type(context), described.llvm_cfunc_wrapper_name)
        table, me, legal, best_card = entry.args
        for record in (table, me):
            record.add_attribute("noalias")
        builder = llvm.IRBuilder(entry.append_basic_block("entry"))
        _write(builder, me, SEAT, "legal", legal)
        _write(builder, table, TABLE, "best_card", best_card)
        status, answer = context.call_conv.call_function(
            builder, method, described.restype, described.argtypes, (table, me)
        )
        failed = builder.zext(status.is_error, _WORD)
        builder.ret(
            builder.insert_value(builder.insert_value(llvm.Constant(_ANSWER, None), answer, 0), failed, 1)
        )
        self.library.add_ir_module(module)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "strategy_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return _Lower


class _Compiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_Lowering, text) if step is NativeLowering else (step, text) for step, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


def compile_method(method: Callable[..., int], cache: bool) -> Any:
    """Compile a method of a strategy with its entry, at once; return the dispatcher.

    Raises
    ------
    numba.core.errors.NumbaError
        If the method is not in numba's subset of Python.
    """
    return numba.njit(SIGNATURE, cache=cache, nogil=True, error_model="python", pipeline_class=_Compiler)(
        method
    )


def get_address(dispatcher: Any) -> int:
    """Return the machine address of the entry of a method that `compile_method` compiled."""
    result = dispatcher.overloads[SIGNATURE.args]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


@intrinsic
def call_strategy(_typing: Any, address: Any, table: Any, me: Any, legal: Any, best_card: Any) -> Any:
    """Call an entry of `get_address`; return the answer and 1 if the method raised.

    This is what lets one compiled loop serve every line-up: an address is data, not a type.
    """
    returned = types.Tuple((types.uint64, types.uint64))

    def build(context: Any, builder: Any, signature: Signature, values: Any) -> Any:
        entry = builder.inttoptr(values[0], _make_entry_type(context).as_pointer())
        answer = builder.call(entry, values[1:])
        parts = (builder.extract_value(answer, 0), builder.extract_value(answer, 1))
        return context.make_tuple(builder, signature.return_type, parts)

    return returned(address, TableType, SeatType, types.uint64, types.uint64), build
