// Collectives of all ranks on window memory, in the order of the rank's stream. All ranks meet before, so that what any of
// them wrote is there, and after, so that all of it may be written again. Counts are in elements.
#pragma once

#include "rank.h"

namespace pld {

/// All ranks meet.
int Meet(Rank& rank);

/// Reduces `data` in place.
int AllReduce(Rank& rank, uint8_t* data, int64_t count, HcclDataType type, HcclReduceOp op);

/// Reduces `data`, one row of `count` elements per rank: row `rank` in place, the others keep what they hold.
int ReduceScatter(Rank& rank, uint8_t* data, int64_t count, int64_t elementBytes, HcclDataType type, HcclReduceOp op);

/// `data` of rank `root` goes to all.
int Broadcast(Rank& rank, uint8_t* data, int64_t count, HcclDataType type, uint32_t root);

/// Row r of `all` becomes rank r's `chunk` of `count` elements.
int AllGather(Rank& rank, uint8_t* chunk, uint8_t* all, int64_t count, HcclDataType type);

/// Row d of `in` becomes row `rank` of rank d's `out`; rows have `count` elements.
int AllToAll(Rank& rank, uint8_t* in, uint8_t* out, int64_t count, HcclDataType type);

}  // namespace pld
