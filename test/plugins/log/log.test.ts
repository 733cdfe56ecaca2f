import type { MessageInitShape } from "@bufbuild/protobuf";
import { as, stub, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Admins } from "../../../plugins/admin/contract.ts";
import plugin from "../../../plugins/log/plugin.ts";
import {
  type CreateLogRequestSchema,
  type ListLogsRequestSchema,
  LogService,
} from "../../../plugins/log/proto/service_log_pb.ts";
import { Users } from "../../../plugins/user/contract.ts";

const rpc = LogService.method;
const admin = as.admin(3n);
const ada = as.user(7n);
const START = 1_800_000_000;
const DAY = 86_400;
let clock: TestClock;

const admins = stub(Admins, {
  names: async (_call, ids) => new Map(ids.map((id) => [id, { username: `admin${id}`, fullname: "" }])),
});
const users = stub(Users, {
  summaries: async (_call, ids) =>
    new Map(ids.filter((id) => id === 7n).map((id) => [id, { id, username: "ada", fullname: "Ada L." }])),
});

let edgehelm: TestKernel;
// Totals are those of the whole installation, so every test opens its own.
beforeEach(async () => {
  clock = new TestClock(START * 1000);
  await edgehelm?.[Symbol.asyncDispose]();
  edgehelm = await testKernel({ plugins: [plugin], stubs: [admins, users], clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function write(
  caller: TestCaller,
  description: string,
  log: MessageInitShape<typeof CreateLogRequestSchema> = {},
) {
  await edgehelm.call(caller, rpc.createLog, { level: "info", description, ...log });
}

async function list(request: MessageInitShape<typeof ListLogsRequestSchema> = {}) {
  return (await edgehelm.call(admin, rpc.listLogs, request)).logs;
}

/** Returns the descriptions of the logs that a request finds, after checking their count. */
async function descriptions(request: { [key: string]: unknown } = {}): Promise<string[]> {
  const found = (await list(request)).map(({ description }) => description);
  const { offset: _offset, size: _size, ...filter } = request;
  const { count } = await edgehelm.call(admin, rpc.countLogs, filter);
  if (!("size" in request)) expect(count).toBe(BigInt(found.length));
  return found;
}

async function size(): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.sumLogsSize, {})).sizeBytes;
}

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

test("an admin reads the logs and deletes them", async () => {
  await write(admin, " turned node 7 off ", { level: "warn", action: "/nodes/7", ip: "192.0.2.1" });
  await write(ada, "renewed a plan", { ip: "2001:db8::1" });
  await write(as.user(8n), "went away");
  expect(await list()).toMatchObject([
    { description: "went away", type: "user", userId: 8n, userName: "" },
    { description: "renewed a plan", type: "user", adminId: 0n, userId: 7n, userName: "Ada L.", ip: "2001:db8::1" },
    {
      level: "warn",
      action: "/nodes/7",
      description: "turned node 7 off",
      ip: "192.0.2.1",
      type: "admin",
      adminId: 3n,
      userId: 0n,
      providerId: 0n,
      userName: "admin3",
      createdAt: BigInt(START),
    },
  ]);
  expect(await size()).toBe(
    3n * 64n + BigInt("turned node 7 off/nodes/7192.0.2.1renewed a plan2001:db8::1went away".length),
  );
  const [last] = await list();
  await edgehelm.call(admin, rpc.deleteLogPermanently, { logId: last!.id });
  expect(await descriptions()).toEqual(["renewed a plan", "turned node 7 off"]);
  await expect(edgehelm.call(admin, rpc.deleteLogPermanently, { logId: last!.id }))
    .rejects.toMatchObject({ code: 404, reason: "log.not_found" });
  const ids = (await list()).map(({ id }) => id);
  await edgehelm.call(admin, rpc.deleteLogsPermanently, { logIds: [...ids, 9999n] });
  expect(await descriptions()).toEqual([]);
  expect(await size()).toBe(0n);
});

test("users write logs of their own actions and read none", async () => {
  await write(ada, "mine");
  for (const method of [rpc.listLogs, rpc.countLogs, rpc.cleanLogsPermanently, rpc.deleteLogPermanently]) {
    await expect(edgehelm.call(ada, method as typeof rpc.countLogs, {})).rejects.toMatchObject({ code: 403 });
  }
  await expect(write(as.node(1n), "not a person")).rejects.toMatchObject({ code: 403 });
});

test("lists apply every filter, newest first", async () => {
  await write(admin, "first", { level: "error", action: "/a_b" });
  clock.advance(DAY);
  await write(ada, "second 100%", { ip: "192.0.2.9" });
  await write(admin, "third", { level: "warn" });
  const day = (days: number) => new Date((START + days * DAY) * 1000).toISOString().slice(0, 10);
  expect(await descriptions()).toEqual(["third", "second 100%", "first"]);
  expect(await descriptions({ offset: 1n, size: 1n })).toEqual(["second 100%"]);
  expect(await descriptions({ level: "error" })).toEqual(["first"]);
  expect(await descriptions({ userType: "user" })).toEqual(["second 100%"]);
  expect(await descriptions({ userType: "admin" })).toEqual(["third", "first"]);
  expect(await descriptions({ keyword: "A_B" })).toEqual(["first"]);
  expect(await descriptions({ keyword: "%" })).toEqual(["second 100%"]);
  expect(await descriptions({ keyword: "2.0.2" })).toEqual(["second 100%"]);
  expect(await descriptions({ dayTo: day(0) })).toEqual(["first"]);
  expect(await descriptions({ dayFrom: day(1).replaceAll("-", ""), dayTo: day(1), userType: "admin" })).toEqual([
    "third",
  ]);
});

test.each([
  [{ level: "fatal" }, 'level: must be one of info, warn, error, got "fatal"'],
  [{ userType: "node" }, 'userType: must be one of admin, user, got "node"'],
  [{ dayFrom: "2027" }, 'dayFrom: must be a day such as 2026-01-31, got "2027"'],
  [{ size: -1n }, "size: must not be negative, got -1"],
])("listLogs refuses %o", async (wrong, message) => {
  await expect(list(wrong)).rejects.toMatchObject({ code: 400, message });
});

describe("createLog", () => {
  test("uses the code and its arguments if there is no description, and truncates long values", async () => {
    const langMessageArgsJSON = bytes(["n1", 7, true]);
    await write(admin, "", { langMessageCode: "node@deleted", langMessageArgsJSON });
    await write(admin, "", { langMessageCode: "node@cleared" });
    await write(admin, "a description", { langMessageCode: "node@deleted", langMessageArgsJSON });
    await write(admin, "x".repeat(2000), { action: "a".repeat(300), ip: "i".repeat(100) });
    const [long, ...others] = await list();
    expect(others.map(({ description }) => description))
      .toEqual(["a description", "node@cleared", "node@deleted: n1, 7, true"]);
    expect(long).toMatchObject({ description: "x".repeat(1000), action: "a".repeat(255), ip: "i".repeat(64) });
  });

  test.each([
    [{ level: "" }, 'level: must be one of info, warn, error, got ""'],
    [{ description: " " }, "description: must not be empty if langMessageCode is empty too"],
    [
      { langMessageArgsJSON: bytes({ a: 1 }) },
      "langMessageArgsJSON: must be a JSON array of strings, numbers and booleans",
    ],
    [
      { langMessageArgsJSON: bytes([[1]]) },
      "langMessageArgsJSON: must be a JSON array of strings, numbers and booleans",
    ],
    [{ langMessageArgsJSON: new Uint8Array([0xff]) }, "langMessageArgsJSON: must be JSON in UTF-8"],
    [{ langMessageArgsJSON: bytes(["x".repeat(5000)]) }, "langMessageArgsJSON: must have at most 4096 bytes, got 5004"],
  ])("refuses %o", async (wrong, message) => {
    await expect(write(admin, "text", wrong)).rejects.toMatchObject({ code: 400, message });
  });
});

describe("cleanLogsPermanently", () => {
  test("keeps the logs of a number of days", async () => {
    await write(admin, "old");
    clock.advance(2 * DAY);
    await write(admin, "two days old");
    clock.advance(2 * DAY);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { days: 2 });
    expect(await descriptions()).toEqual(["two days old"]);
    clock.advance(1);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { days: 2 });
    expect(await descriptions()).toEqual([]);
  });

  test("clears everything, in several transactions", async () => {
    for (let from = 0; from < 1500; from += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, at) => write(admin, `log ${from + at}`)));
    }
    expect((await edgehelm.call(admin, rpc.countLogs, {})).count).toBe(1500n);
    await edgehelm.call(admin, rpc.cleanLogsPermanently, { clearAll: true });
    expect(await descriptions()).toEqual([]);
    expect(await size()).toBe(0n);
  });

  test.each([0, -1])("refuses to keep %d days", async (days) => {
    await expect(edgehelm.call(admin, rpc.cleanLogsPermanently, { days }))
      .rejects.toMatchObject({ code: 400, message: `days: must be 1 to 36500, got ${days}` });
  });
});
