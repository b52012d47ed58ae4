// RUN: pld-opt %s --lower-pld-to-hccl -o %t.mlir
// RUN: pld-translate --mlir-to-ascendc %t.mlir | FileCheck %s

// Groups, windows of run-time size, device memory, a replicated array, a loop and a branch on
// the host.

func.func @k(%x: memref<4x8xf32>, %tmp: memref<?x8xf32> {pl.inout}, %w: !pld.dtensor<?x8xf32>,
             %g: !pld.dtensor<4x1xi32>, %v: i32) attributes {pl.incore} {
  %ctx = pld.get_comm_ctx %g : !pld.dtensor<4x1xi32>
  %me = pld.rank %ctx
  %t = pl.load %x[0, 0] : memref<4x8xf32> -> !pl.tile<4x8xf32>
  pl.store %t, %tmp[0, 0] : !pl.tile<4x8xf32>, memref<?x8xf32>
  pld.remote_store %t, %w[0, 0] to %me : !pl.tile<4x8xf32>, !pld.dtensor<?x8xf32>
  pld.notify set %v, %g[%me, 0] to %me : !pld.dtensor<4x1xi32>
  pld.wait eq %v, %g[%me, 0] : !pld.dtensor<4x1xi32>
  return
}

func.func @d(%x: memref<4x8xf32>, %w: !pld.dtensor<?x8xf32>, %g: !pld.dtensor<4x1xi32>, %v: i32, %f: f32)
    attributes {pl.device} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ctx = pld.get_comm_ctx %g : !pld.dtensor<4x1xi32>
  %n = pld.nranks %ctx
  %rows = pl.dim %w, 0 : !pld.dtensor<?x8xf32>
  %tmp = memref.alloc(%rows) : memref<?x8xf32>
  %two = arith.constant 2.0 : f32
  %less = arith.cmpf olt, %f, %two : f32
  scf.if %less {
    scf.for %i = %c0 to %n step %c1 {
      func.call @k(%x, %tmp, %w, %g, %v)
          : (memref<4x8xf32>, memref<?x8xf32>, !pld.dtensor<?x8xf32>, !pld.dtensor<4x1xi32>, i32) -> ()
    }
  }
  return
}

func.func @main(%x: memref<4x8xf32>, %rows: index, %v: i32, %f: f32) attributes {pl.host} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = pld.world_size
  %more = arith.addi %rows, %n : index
  %b = pld.alloc_window_buffer [%more, 8] of f32
  %c = pld.alloc_window_buffer [4, 1] of i32 {ranks = array<i64: 0, 2>}
  scf.for %r = %c0 to %n step %c2 {
    %w = pld.window %b[%rows] : !pld.dtensor<?x8xf32>
    %g = pld.window %c : !pld.dtensor<4x1xi32>
    pld.dispatch @d(%x, %w, %g, %v, %f) on %r
        : (memref<4x8xf32>, !pld.dtensor<?x8xf32>, !pld.dtensor<4x1xi32>, i32, f32)
  }
  return
}

// CHECK: //===- host/program.cpp
// CHECK: namespace {
// CHECK: int dispatch_d(pld::Rank& rank, uint8_t* arg0, uint8_t* arg1, int64_t arg1_dim0, uint8_t* arg2, int32_t arg3, float arg4, uint8_t* ctx1_arg, int64_t, int64_t, uint8_t* ctx2_arg, int64_t, int64_t ranks2) {
// CHECK: uint8_t* memory = nullptr;
// CHECK: PLD_TRY(rank.Allocate(4 * arg1_dim0 * 8, &memory));
// CHECK: const bool v = arg4 < 2.0f;
// CHECK: if (v) {
// CHECK: for (int64_t i = 0; i < ranks2; ++i) {
// CHECK: launch_k(1, rank.stream(), arg0, memory, arg1_dim0, arg1, arg1_dim0, arg2, arg3, ctx1_arg, ctx2_arg);
// CHECK: }
// CHECK: }
// CHECK: return pld::kOk;
// CHECK: }
// CHECK: std::vector<int64_t> WindowBytes(const pld::World& world) {
// CHECK: const int64_t arg1 = world.scalar<int64_t>(1);
// CHECK: std::vector<int64_t> bytes;
// CHECK: const int64_t ranks = static_cast<int64_t>(world.ranks);
// CHECK: bytes.push_back(4 * (arg1 + ranks) * 8);
// CHECK: bytes.push_back(16);
// CHECK: return bytes;
// CHECK: }
// CHECK: int Main(pld::Rank& rank) {
// CHECK: const int64_t arg1 = rank.world().scalar<int64_t>(1);
// CHECK: const int32_t arg2 = rank.world().scalar<int32_t>(2);
// CHECK: const float arg3 = rank.world().scalar<float>(3);
// CHECK: const int64_t ranks = rank.ranks();
// CHECK: for (int64_t i = 0; i < ranks; i += 2) {
// CHECK: uint8_t* window = rank.Window(0);
// CHECK: uint8_t* window1 = rank.Window(1);
// CHECK: const int64_t own = rank.id();
// CHECK: if (i == own) {
// CHECK: uint8_t* array = nullptr;
// CHECK: PLD_TRY(rank.Replica(0, &array));
// CHECK: uint8_t* ctx = rank.Context();
// CHECK: uint8_t* ctx1 = nullptr;
// CHECK: PLD_TRY(rank.GroupContext({0, 2}, &ctx1));
// CHECK: PLD_TRY(dispatch_d(rank, array, window, arg1, window1, arg2, arg3, ctx, own, ranks, ctx1, own == 2 ? int64_t{1} : 0, 2));
// CHECK: }
// CHECK: }
// CHECK: return pld::kOk;
// CHECK: }
// CHECK: const pld::Program kProgram = {
// CHECK: "main",
// CHECK: {
// CHECK: {"arg0", pld::Kind::Replicated, pld::DType::F32, {4, 8}, pld::Direction::In},
// CHECK: {"arg1", pld::Kind::Scalar, pld::DType::I64, {}, pld::Direction::In},
// CHECK: {"arg2", pld::Kind::Scalar, pld::DType::I32, {}, pld::Direction::In},
// CHECK: {"arg3", pld::Kind::Scalar, pld::DType::F32, {}, pld::Direction::In},
// CHECK: },
// CHECK: {},
// CHECK: WindowBytes,
// CHECK: Main,
// CHECK: };
// CHECK: }  // namespace
// CHECK: int main(int argc, char** argv) { return pld::Run(kProgram, argc, argv); }
