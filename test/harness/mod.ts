/**
 * Tests plugins: a kernel on a real, temporary database, callers of every role, and calls over every protocol. Imported
 * as `edgehelm/testing`.
 *
 * @module
 */
export { as, type TestCaller } from "./caller.ts";
export type { CallError } from "./call_error.ts";
export { TestClock } from "./clock.ts";
export type { ConformanceFixture, RequestFields } from "./conformance/fixture.ts";
export { type ConformanceCheck, type ConformanceOptions, pluginConformance } from "./conformance/mod.ts";
export { TestFailures } from "./failures.ts";
export { type Stub, stub, type TestKernel, testKernel, type TestKernelOptions } from "./kernel.ts";
export type { StreamingMethod, StreamInput } from "./stream.ts";
export { type Wire, WIRES } from "./wire.ts";
