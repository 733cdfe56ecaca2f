/**
 * What a plugin's tests need, imported as `edgehelm/testing`: a kernel on a real temporary database, callers of every
 * role, and the same call over every wire.
 *
 * @module
 */
export { as, type TestCaller } from "./caller.ts";
export { TestClock } from "./clock.ts";
export { type ConformanceCheck, pluginConformance } from "./conformance/mod.ts";
export { type CallFailure, type Stub, stub, type TestKernel, testKernel, type TestKernelOptions } from "./kernel.ts";
export { type Wire, WIRES } from "./wire.ts";
