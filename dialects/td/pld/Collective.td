//===- Collective.td - collectives -----------------------------------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PLD_COLLECTIVE
#define PLD_COLLECTIVE

include "pld/Base.td"

def Pld_CollectiveFamily : Pld_Family<"Collectives", [{
All ranks of the group call a collective, in the same order. It is a barrier before and after.
The signal may be left out on the host, where the tail of the window serves.
}]>;

let opDocGroup = Pld_CollectiveFamily in {

class Pld_CollectiveOp<string mnemonic, dag operands>
    : Pld_Op<mnemonic, [], "::pld::syncEffect(effects);"> {
  let arguments = operands;
  string signal_format = "(`,` $signal^)? ";
  string signal_type = "(`,` qualified(type($signal))^)?";
}

def Pld_AllreduceOp : Pld_CollectiveOp<"allreduce",
    (ins Pld_ReduceKind:$op, Pld_Window:$data, Optional<Pld_Signal>:$signal,
     OptionalAttr<StrAttr>:$algorithm)> {
  let summary = "combine all ranks' slices, on every rank";
  let description = [{
    In place. `algorithm` is "mesh", "ring" or "auto" (by size, the default). The data is a
    window of any shape.

    ```mlir
    pld.allreduce sum %data, %sig {algorithm = "mesh"} : !pld.dtensor<1x4097xf32>, !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 103, 104, 105, 110; at run time 402, 403, 407.
  }];
  let assemblyFormat = "$op $data " # signal_format # "attr-dict `:` qualified(type($data)) " # signal_type;
}

def Pld_BroadcastOp : Pld_CollectiveOp<"broadcast",
    (ins Pld_Window:$data, Optional<Pld_Signal>:$signal, I64Attr:$root)> {
  let summary = "the root's slice to all ranks";
  let description = [{
    In place. The root is a rank of the group; the data is a window of any shape.

    ```mlir
    pld.broadcast %data, %sig root 0 : !pld.dtensor<1x64xf32>, !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 103, 104, 105, 110; at run time 402, 403, 407.
  }];
  let assemblyFormat = "$data " # signal_format # "`root` $root attr-dict `:` qualified(type($data)) " # signal_type;
}

def Pld_ReduceScatterOp : Pld_CollectiveOp<"reduce_scatter",
    (ins Pld_ReduceKind:$op, Pld_Window:$data, Optional<Pld_Signal>:$signal)> {
  let summary = "combine rows over ranks; each rank gets its own row";
  let description = [{
    In place, in a window. Row `rank` of `[n, S]` ends reduced; the other rows end undefined.

    ```mlir
    pld.reduce_scatter sum %data, %sig : !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 103, 104, 105, 110; at run time 402, 403, 407.
  }];
  let assemblyFormat = "$op $data " # signal_format # "attr-dict `:` qualified(type($data)) " # signal_type;
}

class Pld_ExchangeOp<string mnemonic, dag more = (ins)>
    : Pld_CollectiveOp<mnemonic, !con((ins Pld_Memory:$source, Pld_Window:$destination,
                                       Optional<Pld_Signal>:$signal), more)> {
  string exchange_format = "$source `into` $destination " # signal_format;
  string exchange_types = "qualified(type($source)) `,` qualified(type($destination)) " # signal_type;
}

def Pld_AllgatherOp : Pld_ExchangeOp<"allgather"> {
  let summary = "every rank's chunk to every rank";
  let description = [{
    `[1, S]`, a window or a memref, into `[n, S]`, a window of another buffer and of equal
    element type: row r is the chunk of rank r.

    ```mlir
    pld.allgather %chunk into %all, %sig : memref<1x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 103, 104, 105, 110; at run time 402, 403, 407.
  }];
  let assemblyFormat = exchange_format # "attr-dict `:` " # exchange_types;
}

def Pld_AllToAllOp : Pld_ExchangeOp<"all_to_all"> {
  let summary = "row d of each rank to row `rank` of rank d";
  let description = [{
    Both have one shape of rank 2, with the rows of all ranks, and one element type. The source
    is a window or a memref, the destination a window of another buffer.

    ```mlir
    pld.all_to_all %in into %out, %sig : memref<4x64xf32>, !pld.dtensor<4x64xf32>, !pld.dtensor<?x1xi32>
    ```

    Codes: 101, 103, 104, 105, 110; at run time 402, 403, 407.
  }];
  let assemblyFormat = exchange_format # "attr-dict `:` " # exchange_types;
}

def Pld_AllToAllVOp : Pld_ExchangeOp<"all_to_all_v",
    (ins Pld_Memory:$send_counts, Pld_Window:$recv_counts)> {
  let summary = "all-to-all of counted rows";
  let description = [{
    Blocks of `rows / n` rows are the capacity; only the counted rows move, and a count above
    the capacity is clamped. Counts are `[n, 1]` i32, `send` a memref or window, `recv` a
    window. Rows beyond the count keep their value. Source and destination are as in
    `pld.all_to_all`.

    ```mlir
    pld.all_to_all_v %in into %out, %sig counts %send, %recv
        : memref<16x64xf32>, !pld.dtensor<16x64xf32>, !pld.dtensor<?x1xi32>
          counts memref<4x1xi32>, !pld.dtensor<4x1xi32>
    ```

    Codes: 101, 103, 104, 105, 110; at run time 402, 403, 407.
  }];
  let assemblyFormat = exchange_format # "`counts` $send_counts `,` $recv_counts attr-dict `:` "
      # exchange_types # " `counts` qualified(type($send_counts)) `,` qualified(type($recv_counts))";
}

} // opDocGroup

#endif // PLD_COLLECTIVE
