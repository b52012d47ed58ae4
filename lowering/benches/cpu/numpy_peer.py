"""The NumPy side of the benchmark: runs what it is told to, and says how long it took.

Reads lines from standard input: the name of a computation, or `save NAME`. Arrays
are raw f32 files in the folder given as the only argument.
"""

import sys
import time
from pathlib import Path

import numpy as np

FOLDER = Path(sys.argv[1])
ROWS, COLUMNS, SIZE = 4096, 1024, 512


def array(name, *shape):
    return np.fromfile(FOLDER / f"{name}.f32", dtype=np.float32).reshape(shape)


x = array("x", ROWS, COLUMNS)
gain = array("gain", 1, COLUMNS)
a, b = array("a", SIZE, SIZE), array("b", SIZE, SIZE)
work = np.empty_like(x)
other = np.empty_like(x)
product = np.empty_like(a)


def softmax():
    np.subtract(work, work.max(axis=1, keepdims=True), out=work)
    np.exp(work, out=work)
    np.divide(work, work.sum(axis=1, keepdims=True), out=work)
    return work


def rmsnorm():
    np.multiply(work, work, out=other)
    scale = other.sum(axis=1, keepdims=True)
    np.multiply(scale, np.float32(1 / COLUMNS), out=scale)
    np.add(scale, np.float32(1e-5), out=scale)
    np.sqrt(scale, out=scale)
    np.reciprocal(scale, out=scale)
    np.multiply(work, scale, out=work)
    np.multiply(work, gain, out=work)
    return work


def chain():
    np.multiply(work, np.float32(1.5), out=other)
    np.add(other, np.float32(0.25), out=other)
    np.maximum(other, work, out=other)
    np.multiply(other, work, out=other)
    np.subtract(other, np.float32(0.5), out=work)
    return work


def gemm():
    np.matmul(a, b, out=product)
    return product


for line in sys.stdin:
    words = line.split()
    run = globals()[words[-1]]
    work[:] = x
    start = time.perf_counter()
    result = run()
    seconds = time.perf_counter() - start
    if words[0] == "save":
        result.tofile(FOLDER / "numpy.f32")
    print(seconds, flush=True)
