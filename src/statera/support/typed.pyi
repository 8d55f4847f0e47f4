from typing import TYPE_CHECKING as TYPE_CHECKING
from typing import Generic as Generic
from typing import Literal as Literal
from typing import NamedTuple as NamedTuple
from typing import Protocol as Protocol
from typing import TypeVar as TypeVar
from typing import cast as cast
from typing import get_args as get_args
