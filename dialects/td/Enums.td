//===- Enums.td - enumerations shared by both dialects --------------------===//
//
// Part of the pld project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer values are part of the bytecode format and of the runtime's calls:
// append, never renumber. They are plain I32EnumAttr because an EnumAttr prints
// a second blank in front of itself.

#ifndef PLD_ENUMS
#define PLD_ENUMS

include "mlir/IR/EnumAttr.td"

class Pld_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::pld";
}

def Pld_AtomicKind : Pld_Enum<"AtomicKind", "how a store combines with memory",
    [I32EnumAttrCase<"add", 0>]>;

def Pld_RoundMode : Pld_Enum<"RoundMode", "rounding of a cast", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"rint", 1>,
    I32EnumAttrCase<"round", 2>, I32EnumAttrCase<"floor", 3>,
    I32EnumAttrCase<"ceil", 4>, I32EnumAttrCase<"trunc", 5>]>;

def Pld_NotifyKind : Pld_Enum<"NotifyKind", "how a notify changes its cell",
    [I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"set", 1>]>;

def Pld_WaitCmp : Pld_Enum<"WaitCmp", "what a wait compares its cell by", [
    I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>,
    I32EnumAttrCase<"gt", 2>, I32EnumAttrCase<"ge", 3>,
    I32EnumAttrCase<"lt", 4>, I32EnumAttrCase<"le", 5>]>;

def Pld_CmpPredicate : Pld_Enum<"CmpPredicate", "elementwise comparison", [
    I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>,
    I32EnumAttrCase<"lt", 2>, I32EnumAttrCase<"le", 3>,
    I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]>;

def Pld_ReduceKind : Pld_Enum<"ReduceKind", "how a collective combines ranks", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"max", 1>,
    I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"prod", 3>]>;

def Pld_ExecutionLevel : Pld_Enum<"ExecutionLevel", "where a region runs",
    [I32EnumAttrCase<"core_group", 0>]>;

#endif // PLD_ENUMS
