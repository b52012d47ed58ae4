"""Arrays of other libraries: by DLPack of either version, and torch's own where it is installed."""

import ctypes

import numpy as np
import pytest
from kernels import exchange, shift
from pld.dlpack import as_array


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Managed(ctypes.Structure):
    """DLManagedTensor of dlpack.h, before its first version."""


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [
    ("data", ctypes.c_void_p),
    ("device", Device),
    ("ndim", ctypes.c_int32),
    ("dtype", DType),
    ("shape", ctypes.POINTER(ctypes.c_int64)),
    ("strides", ctypes.POINTER(ctypes.c_int64)),
    ("offset", ctypes.c_uint64),
    ("context", ctypes.c_void_p),
    ("deleter", DELETER),
]

capsule_new = ctypes.pythonapi.PyCapsule_New
capsule_new.restype = ctypes.py_object
capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Tensor:
    """A tensor of a library that knows the oldest DLPack only: a capsule made by hand."""

    FLOAT, BFLOAT, CPU, CUDA = 2, 4, 1, 2

    def __init__(self, array, code=FLOAT, device=CPU):
        self.array, self.code, self.device = array, code, device

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, stream=None):
        array, count = self.array, self.array.ndim
        extents = ctypes.c_int64 * count
        self.shape = extents(*array.shape)
        self.strides = extents(*(stride // array.itemsize for stride in array.strides))
        dtype = DType(self.code, 8 * array.itemsize, 1)
        self.managed = Managed(
            array.ctypes.data,
            Device(self.device, 0),
            count,
            dtype,
            self.shape,
            self.strides,
            0,
            None,
            DELETER(lambda _: None),
        )
        return capsule_new(ctypes.addressof(self.managed), b"dltensor", None)


def test_a_capsule_by_hand():
    """It is read and written where it lies, whatever its strides."""
    x = np.arange(2 * 64, dtype="float32").reshape(2, 1, 64)
    padded = np.zeros((2, 2, 64), "float32")
    exchange(shift)(Tensor(x), Tensor(padded[:, :1, :]))
    np.testing.assert_array_equal(padded[:, 0], x[::-1, 0])
    np.testing.assert_array_equal(padded[:, 1], 0)


def test_read_only_stays_so():
    """What says that it is read-only is not written."""
    array = np.zeros(3, "float32")
    array.flags.writeable = False

    class Newer:
        def __dlpack_device__(self):
            return array.__dlpack_device__()

        def __dlpack__(self, **asked):
            return array.__dlpack__(**asked)

    assert not as_array(Newer()).flags.writeable


def test_read_only_by_another_protocol():
    """What cannot say it in the oldest DLPack, but in NumPy's protocol, is not written either."""

    class Immutable(Tensor):
        def __array__(self, dtype=None, copy=None):
            array = self.array.view()
            array.flags.writeable = False
            return array

    x = np.ones((2, 1, 64), "float32")
    y = np.zeros_like(x)
    with pytest.raises(ValueError, match="read-only"):
        exchange(shift)(x, Immutable(y))
    assert not y.any()
    exchange(shift)(Immutable(x), y)
    np.testing.assert_array_equal(y, x)


@pytest.mark.parametrize(
    "tensor",
    [
        Tensor(np.zeros(3, "uint16"), code=Tensor.BFLOAT),
        Tensor(np.zeros(3, "float32"), device=Tensor.CUDA),
    ],
)
def test_what_numpy_cannot_hold(tensor):
    """Another device, another type: what was expected is said."""
    with pytest.raises(TypeError, match="in the memory of the host, of a type that NumPy has"):
        as_array(tensor)


def test_torch():
    """Tensors in, a tensor out."""
    torch = pytest.importorskip("torch")
    x = torch.arange(2 * 64, dtype=torch.float32).reshape(2, 1, 64)
    y = torch.zeros_like(x)
    exchange(shift)(x, y)
    assert torch.equal(y, x.flip(0))
