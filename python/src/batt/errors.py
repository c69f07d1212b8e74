"""The exceptions of batt: every one has a message, and a hint where one helps."""

from __future__ import annotations

from typing import Any


class BattError(Exception):
    """Something that batt cannot do; `hint` says what to do about it, if anything."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Make an error of a message and a hint."""
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Give the message, and the hint on a line of its own."""
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by what it is made of."""
        return (_again, (type(self), self.message, self.__dict__))


def _again(kind: type[BattError], message: str, state: dict[str, object]) -> BattError:
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    error.__dict__.update(state)
    return error


def _program_error(kind: type[ProgramError], message: str, hint: str | None, *place: Any) -> ProgramError:
    filename, lineno, offset, text = place
    return kind(message, hint=hint, filename=filename, lineno=lineno, offset=offset, text=text)


class ProgramError(BattError, SyntaxError):
    """A text that is no program: a `SyntaxError` with file, line and caret."""

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        filename: str | None = None,
        lineno: int | None = None,
        offset: int | None = None,
        text: str | None = None,
    ) -> None:
        """Make an error of a message and of where it is."""
        BattError.__init__(self, message, hint=hint)
        self.msg = message if hint is None else f"{message} (hint: {hint})"
        self.filename, self.lineno, self.offset, self.text = filename, lineno, offset, text

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by what it is made of."""
        place = (self.filename, self.lineno, self.offset, self.text)
        return (_program_error, (type(self), self.message, self.hint, *place))

    def __str__(self) -> str:
        """Give the place, the line, a caret, the message and the hint."""
        if self.lineno is None or not self.text:
            return BattError.__str__(self)
        line = self.text.rstrip()
        caret = " " * ((self.offset or 1) - 1) + "^"
        place = f"{self.filename}:{self.lineno}:{self.offset}"
        return f"{place}: {BattError.__str__(self).replace(chr(10), chr(10) + '  ')}\n  {line}\n  {caret}"


class EvaluationError(BattError, RuntimeError):
    """A program that fails on a sample; `kind` is what Python would have raised."""

    def __init__(self, message: str, *, kind: str, line: int | None, hint: str | None = None) -> None:
        """Make an error of a kind at a line of the program."""
        super().__init__(message, hint=hint)
        self.kind = kind
        self.line = line


class DataError(BattError, ValueError):
    """Tasks, a submission or solutions that cannot be read."""


class ArchiveError(BattError, RuntimeError):
    """An archive that cannot be opened, read or written, or that is closed."""


class DeviceError(BattError, RuntimeError):
    """A device that is not there."""


class OptionError(BattError, ValueError):
    """An option that cannot be, or options that do not go together."""
