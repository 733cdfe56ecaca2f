import type { MessageInitShape } from "@bufbuild/protobuf";
import { as, stub, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeEach, expect } from "vitest";
import { Admins } from "../../../plugins/admin/contract.ts";
import plugin from "../../../plugins/log/plugin.ts";
import {
  type CreateLogRequestSchema,
  type ListLogsRequestSchema,
  LogService,
} from "../../../plugins/log/proto/service_log_pb.ts";
import { Users } from "../../../plugins/user/contract.ts";

export const rpc = LogService.method;
export const admin = as.admin(3n);
export const ada = as.user(7n);
export const START = 1_800_000_000;
export const DAY = 86_400;
export let clock: TestClock;

const admins = stub(Admins, {
  names: async (_call, ids) => new Map(ids.map((id) => [id, { username: `admin${id}`, fullname: "" }])),
});
const users = stub(Users, {
  summaries: async (_call, ids) =>
    new Map(ids.filter((id) => id === 7n).map((id) => [id, { id, username: "ada", fullname: "Ada L." }])),
});

export let edgehelm: TestKernel;

/** Opens a kernel before each test of a file, and closes the last one after them. */
export function useKernel(): void {
  // Totals are those of the whole installation, so every test opens its own.
  beforeEach(async () => {
    clock = new TestClock(START * 1000);
    await edgehelm?.[Symbol.asyncDispose]();
    edgehelm = await testKernel({ plugins: [plugin], stubs: [admins, users], clock });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function write(
  caller: TestCaller,
  description: string,
  log: MessageInitShape<typeof CreateLogRequestSchema> = {},
) {
  await edgehelm.call(caller, rpc.createLog, { level: "info", description, ...log });
}

/** Returns the logs of consoles that a request finds. */
export async function list(request: MessageInitShape<typeof ListLogsRequestSchema> = {}) {
  return (await edgehelm.call(admin, rpc.listLogs, { source: "log", ...request })).logs;
}

/** Returns the logs of consoles and the audit records that a request finds. */
export async function listBoth(request: MessageInitShape<typeof ListLogsRequestSchema> = {}) {
  return (await edgehelm.call(admin, rpc.listLogs, request)).logs;
}

/** Returns the descriptions of the logs that a request finds, after checking their count. */
export async function descriptions(request: { [key: string]: unknown } = {}): Promise<string[]> {
  const found = (await list(request)).map(({ description }) => description);
  const { offset: _offset, size: _size, ...filter } = request;
  const { count } = await edgehelm.call(admin, rpc.countLogs, { source: "log", ...filter });
  if (!("size" in request)) expect(count).toBe(BigInt(found.length));
  return found;
}

export async function size(): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.sumLogsSize, {})).sizeBytes;
}
