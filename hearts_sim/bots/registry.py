"""Finds strategies by name, file, module or entry point, and describes them without compiling anything."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from hearts_sim.bots.strategy import Param, Strategy
from hearts_sim.errors import UsageError, did_you_mean
from hearts_sim.game.rules import Rules

ENTRY_POINTS = "hearts_sim.strategies"


@dataclass(frozen=True)
class StrategyInfo:
    """A strategy as found: its class, where it comes from, and the parameters a name asked for.

    ``given`` holds the parameters written in the name itself, such as ``greedy:watch_moon=0``.
    """

    cls: type[Strategy]
    path: Path
    given: Mapping[str, float]

    @property
    def name(self) -> str:
        """The strategy's own name."""
        return self.cls.name or self.cls.__name__

    @property
    def full_name(self) -> str:
        """The strategy's own name with the parameters that were given: ``greedy:blunder=0.1``."""
        return ":".join([self.name, *(f"{key}={value:g}" for key, value in self.given.items())])

    @property
    def summary(self) -> str:
        """One line on what it does."""
        return self.cls.summary

    @property
    def stochastic(self) -> bool:
        """Whether it draws from its own random stream."""
        return self.cls.stochastic

    @property
    def compiled(self) -> bool:
        """Whether numba compiles it."""
        return self.cls.compiled

    @property
    def ignores(self) -> tuple[str, ...]:
        """The options of the rules that it does not model."""
        return tuple(self.cls.ignores)

    @property
    def params(self) -> dict[str, Param]:
        """Its parameters in order of declaration."""
        return dict(self.cls.params)

    @property
    def source_hash(self) -> str:
        """16 hexadecimal digits that name the text of the strategy's file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()[:16]


def find(spec: str, base: Path | None = None) -> StrategyInfo:
    """Return the strategy that a name means.

    Parameters
    ----------
    spec : str
        ``greedy``, ``greedy:blunder=0.1``, ``path/my_bot.py``, ``path/my_bot.py:MyBot:depth=2`` or
        ``package.module:MyBot``.
    base : Path, optional
        The folder that relative paths are tried against first; then the working directory.

    Raises
    ------
    UsageError
        If nothing answers to the name, the file holds no or several strategies, or a parameter is unknown or out of
        range.
    """
    head, *rest = spec.strip().split(":")
    class_name = rest.pop(0) if rest and "=" not in rest[0] else None
    if head.endswith(".py"):
        module = _load_file(_locate(head, base))
        cls = _pick_class(module, class_name, spec)
    elif class_name is not None:
        cls = _pick_class(_import_module(head, spec), class_name, spec)
    else:
        cls = _find_named(head)
    _check_class(cls, spec)
    _check_ignores(cls, spec)
    given = _parse_params([part for group in rest for part in group.split(",")], spec)
    check_params(cls, given, spec)
    return StrategyInfo(cls, Path(inspect.getfile(cls)), given)


def list_named() -> list[StrategyInfo]:
    """Return every built-in and installed strategy, sorted by name."""
    return [StrategyInfo(cls, Path(inspect.getfile(cls)), {}) for _, cls in sorted(_named_classes().items())]


def check_params(cls: type[Strategy], values: Mapping[str, float], where: str) -> None:
    """Raise a UsageError if a parameter is unknown to the strategy or out of its range."""
    for key, value in values.items():
        if key not in cls.params:
            known = ", ".join(cls.params) or "none"
            raise UsageError(f"{where}: no parameter {key!r} (known: {known}){did_you_mean(key, cls.params)}")
        param = cls.params[key]
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not param.low <= value <= param.high
        ):
            raise UsageError(
                f"{where}: {key} = {value!r} is not a number from {param.low:g} to {param.high:g}"
            )


@cache
def _named_classes() -> dict[str, type[Strategy]]:
    found: dict[str, type[Strategy]] = {}
    package = importlib.import_module("hearts_sim.strategies")
    for module_info in pkgutil.iter_modules(package.__path__):
        if module_info.name.startswith("_"):
            continue
        module = importlib.import_module(f"hearts_sim.strategies.{module_info.name}")
        for cls in _classes_of(module):
            _add(found, cls.name, cls)
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            _add(found, entry.name, entry.load())
        except Exception as error:
            raise UsageError(
                f"the installed strategy {entry.name!r} ({entry.value}) does not load: {error}"
            ) from error
    return found


def _add(found: dict[str, type[Strategy]], name: str, cls: type[Strategy]) -> None:
    if name in found and found[name] is not cls:
        files = f"{inspect.getfile(found[name])} and {inspect.getfile(cls)}"
        raise UsageError(f"two strategies are named {name!r}: {files}; rename one of them")
    found[name] = cls


def _find_named(name: str) -> type[Strategy]:
    named = _named_classes()
    if name not in named:
        hint = did_you_mean(name, named) or "; see: hearts-sim list strategies"
        raise UsageError(f"there is no strategy {name!r}{hint}")
    return named[name]


def _locate(path: str, base: Path | None) -> Path:
    tried = (
        [Path(path).expanduser()]
        if base is None
        else [base / Path(path).expanduser(), Path(path).expanduser()]
    )
    for candidate in tried:
        if candidate.is_file():
            return candidate.resolve()
    nearby = sorted(
        p.name for folder in {p.parent for p in tried} if folder.is_dir() for p in folder.glob("*.py")
    )
    raise UsageError(f"there is no strategy file {tried[0]}{did_you_mean(Path(path).name, nearby)}")


def _load_file(path: Path) -> ModuleType:
    """Import a file under a name of its own, with its folder importable while it loads.

    A built-in named by its path is imported as the built-in: numba's cache remembers a file's module name.
    """
    package = importlib.import_module("hearts_sim.strategies")
    if path.parent in {Path(folder).resolve() for folder in package.__path__}:
        return importlib.import_module(f"hearts_sim.strategies.{path.stem}")
    name = f"hearts_sim_file_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise UsageError(f"{path} does not load: {describe_error(error, path)}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def _import_module(name: str, spec: str) -> ModuleType:
    sys.path.insert(0, "")
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise UsageError(
            f"{spec}: the module {name} does not load: {type(error).__name__}: {error}"
        ) from error
    finally:
        sys.path.remove("")


def describe_error(error: BaseException, path: Path) -> str:
    """Return an exception as ``Type: message (line n)``, the line being the last one inside ``path``."""
    line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" + (f" (line {line})" if line else "")


def _classes_of(module: ModuleType) -> list[type[Strategy]]:
    return [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Strategy) and value.__module__ == module.__name__
    ]


def _pick_class(module: ModuleType, class_name: str | None, spec: str) -> type[Strategy]:
    classes = {cls.__name__: cls for cls in _classes_of(module)}
    if class_name is None:
        if len(classes) == 1:
            return next(iter(classes.values()))
        if not classes:
            raise UsageError(f"{spec}: no class in it derives from hearts_sim.Strategy")
        raise UsageError(
            f"{spec}: it holds {', '.join(classes)}; write one of them, as in {spec}:{next(iter(classes))}"
        )
    if class_name in classes:
        return classes[class_name]
    value = getattr(module, class_name, None)
    if inspect.isclass(value) and issubclass(value, Strategy):
        return value
    hint = did_you_mean(class_name, classes)
    raise UsageError(
        f"{spec}: no strategy class {class_name!r} in it (found: {', '.join(classes) or 'none'}){hint}"
    )


def _check_class(cls: type[Strategy], spec: str) -> None:
    for method in ("choose_pass", "choose_card"):
        if not callable(getattr(cls, method, None)):
            raise UsageError(f"{spec}: {cls.__name__} has no method {method}(table, me)")
        if cls.compiled and not isinstance(inspect.getattr_static(cls, method), staticmethod):
            raise UsageError(
                f"{spec}: {cls.__name__}.{method} must be a @staticmethod; or set compiled = False to play it as plain Python"
            )
        expected = 2 if isinstance(inspect.getattr_static(cls, method), staticmethod) else 3
        function = inspect.unwrap(getattr(cls, method))
        if inspect.isfunction(function) and function.__code__.co_argcount != expected:
            raise UsageError(
                f"{spec}: {cls.__name__}.{method} takes {', '.join(function.__code__.co_varnames[: function.__code__.co_argcount])}"
                f"; it is called with (table, me)"
            )


def _check_ignores(cls: type[Strategy], spec: str) -> None:
    """Refuse a class that claims to ignore what is no option of the rules."""
    options = [field.name for field in dataclasses.fields(Rules)]
    if not isinstance(cls.ignores, (tuple, list)):
        raise UsageError(
            f'{spec}: {cls.__name__}.ignores = {cls.ignores!r} is no tuple of options, such as ("bonus_card",)'
        )
    for name in cls.ignores:
        if name not in options:
            hint = did_you_mean(str(name), options) or "; see: hearts-sim list rules standard"
            raise UsageError(f"{spec}: {cls.__name__}.ignores: the rules have no option {name!r}{hint}")


def _parse_params(parts: list[str], spec: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for part in parts:
        key, _, text = part.partition("=")
        try:
            values[key.strip()] = float(text)
        except ValueError:
            raise UsageError(
                f"{spec}: {part!r} is not a parameter; write name=number, as in blunder=0.1"
            ) from None
    return values
