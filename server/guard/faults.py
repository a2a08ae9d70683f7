"""What the doors answer when they stay shut. The sentence is fit for whoever knocked."""

from capabilities.kernel.codes import Code


class DoorError(Exception):
    """Nothing was done for this request."""

    def __init__(self, code: Code, sentence: str) -> None:
        """Carry the kernel's code and a sentence that says what to do."""
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class NotSignedInError(DoorError):
    """Nobody known is asking (HTTP 401)."""

    def __init__(self, sentence: str) -> None:
        """Say what would let them in."""
        super().__init__(Code.DENIED, sentence)


class WrongHostError(DoorError):
    """The request was meant for another name (HTTP 421)."""

    def __init__(self) -> None:
        """The sentence names the setting, never the name that was asked for."""
        super().__init__(
            Code.DENIED,
            "This server does not answer under that name. Use its own address, or add the name "
            "to `server.allowed_hosts`.",
        )


class LockedError(DoorError):
    """Too many tries at the console (HTTP 429); the terminal is never locked."""

    def __init__(self, retry_after_s: int) -> None:
        """Say after how many seconds the next try is surely heard."""
        super().__init__(
            Code.RATE_LIMITED,
            f"Too many wrong tries. Wait {retry_after_s // 60} minutes, or sign in on the "
            "terminal of the computer that Matinee runs on, which is not locked.",
        )
        self.retry_after_s = retry_after_s
