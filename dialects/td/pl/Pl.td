//===- Pl.td - the tile dialect, umbrella ----------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_DIALECT
#define PL_DIALECT

include "pl/Base.td"
include "pl/Memory.td"
include "pl/Elementwise.td"
include "pl/Reduce.td"
include "pl/Broadcast.td"
include "pl/Shape.td"
include "pl/Matmul.td"
include "pl/Scope.td"

#endif // PL_DIALECT
