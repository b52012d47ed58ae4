//===- Dispatch.td - starting work on a rank --------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_DISPATCH
#define PLD_DISPATCH

include "pld/Base.td"

def Pld_DispatchFamily : Pld_Family<"Dispatch", [{
From the host to the ranks.
}]>;

let opDocGroup = Pld_DispatchFamily in {

def Pld_DispatchOp : Pld_Op<"dispatch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>],
    "::pld::syncEffect(effects);"> {
  let summary = "start a device function on a rank";
  let description = [{
    Asynchronous: dispatches to one rank run in program order, and the host function ends
    when all have ended. The callee is a public `pl.device` function; arguments have the types
    of its parameters. A dispatch starts with an acquire and ends with a release.

    ```mlir
    pld.dispatch @f(%xr, %data) on %r : (memref<1x64xf32>, !pld.dtensor<1x64xf32>)
    ```

    Codes: 101, 103, 108, 111; at run time 406.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Pld_Argument>:$arguments, Index:$rank);
  let assemblyFormat = "$callee `(` $arguments `)` `on` $rank attr-dict `:` custom<TypeTuple>(type($arguments))";
}

} // opDocGroup

#endif // PLD_DISPATCH
