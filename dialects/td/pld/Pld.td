//===- Pld.td - the distributed dialect, umbrella ---------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_DIALECT
#define PLD_DIALECT

include "pld/Base.td"
include "pld/Window.td"
include "pld/Dispatch.td"
include "pld/Signal.td"
include "pld/Remote.td"
include "pld/Transfer.td"
include "pld/Collective.td"

#endif // PLD_DIALECT
