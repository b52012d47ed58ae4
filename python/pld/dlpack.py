"""Arrays of others as NumPy's: by DLPack or the buffer protocol, without a copy."""

from __future__ import annotations

import ctypes


def as_array(value):
    """A NumPy view of what is an array to others. What is none stays what it is."""
    if isinstance(value, (int, float, str, bytes, type(None))) or type(value).__module__ == "numpy":
        return value
    import numpy

    if hasattr(value, "__dlpack__"):
        return _by_dlpack(numpy, value)
    try:
        return numpy.asarray(memoryview(value))
    except TypeError:
        return value


class _Producer:
    """Passes on what an array exports, and remembers of which version of DLPack that is."""

    def __init__(self, value):
        self.value, self.says_read_only = value, True

    def __dlpack_device__(self):
        return self.value.__dlpack_device__()

    def __dlpack__(self, **asked):
        capsule = self.value.__dlpack__(**asked)
        name = ctypes.pythonapi.PyCapsule_GetName
        name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
        self.says_read_only = name(capsule) == b"dltensor_versioned"
        return capsule


def _by_dlpack(numpy, value):
    producer = _Producer(value)
    try:
        array = numpy.from_dlpack(producer)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(
            f"this {type(value).__name__} is not taken by DLPack: {error}; expected an array in "
            "the memory of the host, of a type that NumPy has (bfloat16 as uint16)"
        ) from None
    if array.flags.writeable or producer.says_read_only or not array.nbytes:
        return array
    # Before its first version DLPack could not say that an array is read-only, and NumPy takes
    # each for one; JAX's are, as their other exports say. The view below does not keep the
    # memory: its owner is the caller's.
    if any(stride < 0 for stride in array.strides) or _says_read_only(numpy, value):
        return array
    last = sum((n - 1) * stride for n, stride in zip(array.shape, array.strides, strict=True))
    memory = (ctypes.c_char * (last + array.itemsize)).from_address(array.ctypes.data)
    return numpy.ndarray(array.shape, array.dtype, buffer=memory, strides=array.strides)


def _says_read_only(numpy, value):
    """Whether what NumPy gets of it without DLPack is read-only."""
    return hasattr(value, "__array__") and not numpy.asarray(value).flags.writeable
