//! Tests that compile and run programs. One binary, since each links all of MLIR.

mod cpu;
mod hccl;
