//===- Scope.td - regions that run on the AI core ------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PL_SCOPE
#define PL_SCOPE

include "pl/Base.td"

def Pl_ScopeFamily : Pld_Family<"Scopes", [{
Regions of a device function that run on the AI core, or in several blocks.
}]>;

let opDocGroup = Pl_ScopeFamily in {

def Pl_AtOp : Pl_Op<"at", [SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "tensor-level code that runs on the AI core";
  let description = [{
    In a device function. The body counts as in-core, but holds tensors instead of tiles: pure
    values of any size, which the compiler tiles. It may use any memory or scalar from
    outside, and is outlined to an in-core function.

    ```mlir
    pl.at core_group {
      %v = pl.slice %x[0, 0] : memref<64x64xf32> -> tensor<64x64xf32>
      %r = pl.exp %v : tensor<64x64xf32>
      pl.assemble %r, %y[0, 0] : tensor<64x64xf32>, memref<64x64xf32>
    }
    ```

    Codes: 103 for what its body may not hold, as tiles.
  }];
  let arguments = (ins Pld_ExecutionLevel:$level);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$level attr-dict-with-keyword $body";
}

def Pl_SpmdOp : Pl_Op<"spmd", [SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "run the body in several blocks at once";
  let description = [{
    In a device function, not nested. `count` blocks run the same body concurrently; the
    operation ends when all have ended. `pl.block_idx` tells them apart. Blocks of a rank that
    touch common bytes of memory are ordered like ranks, by signals.

    ```mlir
    pl.spmd %n {
      %b = pl.block_idx
      func.call @rows(%x, %y, %b) : (memref<64x64xf32>, memref<64x64xf32>, index) -> ()
    }
    ```

    Codes: 103 where it is nested; at run time 403 between blocks.
  }];
  let arguments = (ins Index:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count attr-dict-with-keyword $body";
}

class Pl_BlockQueryOp<string mnemonic, string what, string rule> : Pl_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = [{
    }] # rule # [{ In a device function it stands inside `pl.spmd` only.

    ```mlir
    %b = pl.}] # mnemonic # [{
    ```

    Codes: 103 in a device function outside of `pl.spmd`.
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Pl_BlockIdxOp : Pl_BlockQueryOp<"block_idx", "number of this block",
    "From 0; it is 0 in an in-core function that is called outside of `pl.spmd`.">;
def Pl_BlockNumOp : Pl_BlockQueryOp<"block_num", "number of blocks",
    "It is 1 in an in-core function that is called outside of `pl.spmd`.">;

def Pl_SyncBlocksOp : Pl_Op<"sync_blocks", [], "::pld::syncEffect(effects);"> {
  let summary = "meeting of all blocks of a rank";
  let description = [{
    In an in-core function. Each block of the `pl.spmd` around the call goes on only when all
    of them have come here: what any of them did before is done, and seen by all of them after.
    Every block must come here equally often. Outside of `pl.spmd` there is one block, and
    nothing to wait for.

    Other ranks are not met: use `pld.barrier`, which acts once per rank.

    ```mlir
    pl.sync_blocks
    ```

    Codes: 103 outside of in-core code; at run time 402 if a block never comes.
  }];
  let assemblyFormat = "attr-dict";
}

} // opDocGroup

#endif // PL_SCOPE
