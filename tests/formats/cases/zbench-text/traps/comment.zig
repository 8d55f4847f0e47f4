// zig build bench -Doptimize=ReleaseFast
//
// benchmark              runs     total time     time/run (avg ± σ)     (min ... max)                p75        p99        p995
// -----------------------------------------------------------------------------------------------------------------------------
// parse                  65535    1.873ms        28ns ± 19ns            (20ns ... 200ns)             30ns       131ns      131ns
const zbench = @import("zbench");
