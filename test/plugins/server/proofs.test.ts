import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import { DomainVerification } from "../../../plugins/ns_domain/contract.ts";
import plugin from "../../../plugins/server/plugin.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import { json } from "./rig.ts";

const service = ServerService.method;
const [admin, ada, bob] = [as.admin(), as.user(1n), as.user(2n)];
const clock = new TestClock();
/** The published TXT records. */
const records = new Map<string, string>();
const changed: bigint[][] = [];

let edgehelm: TestKernel;
beforeAll(async () => {
  const verification = {
    isAvailable: true,
    lifetimeSeconds: 3600n,
    recordOf: (name: string) => `_verify.${name}`,
    valuesOf: async (_call: unknown, name: string) => [records.get(`_verify.${name}`) ?? []].flat(),
  };
  const clusters: Partial<NodeClusters> = {
    requireCluster: async () => {},
    configChanged: async (_call, ids) => void changed.push([...ids]),
  };
  const stubs = [stub(DomainVerification, verification), stub(NodeClusters, clusters)];
  edgehelm = await testKernel({ plugins: [plugin], stubs, clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(userId: bigint, names: readonly (string | object)[] = []): Promise<bigint> {
  const request = { type: "httpProxy", nodeClusterId: 1n, userId, serverNamesJSON: list(names) };
  return (await edgehelm.call(admin, service.createServer, request)).serverId;
}

const list = (names: readonly (string | object)[]) =>
  json(names.map((name) => typeof name === "string" ? { name } : name));

function setNames(caller: typeof ada, serverId: bigint, names: readonly string[]) {
  return edgehelm.call(caller, service.updateServerNames, { serverId, serverNamesJSON: list(names) });
}

async function namesOf(serverId: bigint): Promise<unknown> {
  const { serverNamesJSON } = await edgehelm.call(admin, service.findServerNames, { serverId });
  return JSON.parse(new TextDecoder().decode(serverNamesJSON)).map((
    { name, subNames }: { name: string; subNames: string[] },
  ) => subNames.length > 0 ? subNames : name);
}

/** Returns the record and the value that the error of a refused claim names. */
async function instructionsOf(refused: Promise<unknown>) {
  const error = await refused.then(() => undefined, (error) => error);
  expect(error).toMatchObject({ code: 409, reason: "server.name_unproved" });
  const [, record, value] = /TXT record (\S+) to "(\w{32})"/.exec(error.message)!;
  return { record: record!, value: value! };
}

describe("a name of another user", () => {
  test("is moved to a user who publishes the record", async () => {
    const holder = await create(2n, ["shop.test", "kept.test", { name: "group", subNames: ["a.shop.test", "b.test"] }]);
    const own = await create(1n);
    const { record, value } = await instructionsOf(setNames(ada, own, ["shop.test"]));
    expect(record).toBe("_verify.shop.test");
    records.set(record, "another value");
    expect(await instructionsOf(setNames(ada, own, ["shop.test"]))).toEqual({ record, value });
    records.set(record, value);
    await setNames(ada, own, ["shop.test"]);
    expect(await namesOf(own)).toEqual(["shop.test"]);
    expect(await namesOf(holder)).toEqual(["kept.test", ["a.shop.test", "b.test"]]);
    const { count } = await edgehelm.call(bob, service.countServerNames, { serverId: holder });
    expect(count).toBe(3n);
    expect(changed.length).toBeGreaterThan(2);
    const sub = await instructionsOf(setNames(ada, own, ["shop.test", "a.shop.test"]));
    records.set(sub.record, sub.value);
    await setNames(ada, own, ["shop.test", "a.shop.test"]);
    expect(await namesOf(holder)).toEqual(["kept.test", ["b.test"]]);
  });

  test("is not moved by a value of another user, an old value, or one that was used", async () => {
    await create(2n, ["own.test"]);
    const [first, second] = [await create(1n), await create(3n)];
    const mine = await instructionsOf(setNames(ada, first, ["own.test"]));
    const other = await instructionsOf(setNames(as.user(3n), second, ["own.test"]));
    expect(other.value).not.toBe(mine.value);
    records.set(mine.record, mine.value);
    await instructionsOf(setNames(as.user(3n), second, ["own.test"]));
    clock.advance(3_601_000);
    const renewed = await instructionsOf(setNames(ada, first, ["own.test"]));
    expect(renewed.value).not.toBe(mine.value);
    records.set(mine.record, renewed.value);
    await setNames(ada, first, ["own.test"]);
    const back = await instructionsOf(setNames(as.user(3n), second, ["own.test"]));
    records.set(back.record, back.value);
    await setNames(as.user(3n), second, ["own.test"]);
    records.set(back.record, renewed.value);
    expect((await instructionsOf(setNames(ada, first, ["own.test"]))).value).not.toBe(renewed.value);
  });

  test("can be proved below a wildcard of another user, which keeps the wildcard", async () => {
    const holder = await create(2n, ["*.wide.test"]);
    const own = await create(1n);
    const { record, value } = await instructionsOf(setNames(ada, own, ["mine.wide.test"]));
    expect(record).toBe("_verify.mine.wide.test");
    records.set(record, value);
    await setNames(ada, own, ["mine.wide.test"]);
    expect(await namesOf(holder)).toEqual(["*.wide.test"]);
    await instructionsOf(setNames(ada, own, ["mine.wide.test", "*.wide.test"]));
  });

  test("stays where it is if one of several is not proved", async () => {
    const holder = await create(2n, ["one.test", "two.test"]);
    const own = await create(1n);
    const { record, value } = await instructionsOf(setNames(ada, own, ["one.test", "two.test"]));
    records.set(record, value);
    await instructionsOf(setNames(ada, own, ["one.test", "two.test"]));
    expect(await namesOf(holder)).toEqual(["one.test", "two.test"]);
  });
});

describe("no proof moves", () => {
  test("a name of the installation, or of another site of the user", async () => {
    await create(0n, ["console.test"]);
    await create(1n, ["twice.test"]);
    const own = await create(1n);
    for (const name of ["console.test", "twice.test"]) {
      await expect(setNames(ada, own, [name])).rejects.toMatchObject({ reason: "server.name_taken" });
    }
  });

  test("a name of a site that an admin turned off", async () => {
    const holder = await create(2n, ["off.test"]);
    await edgehelm.call(admin, service.updateServerIsOn, { serverId: holder, isOn: false });
    const own = await create(1n);
    const { record, value } = await instructionsOf(setNames(ada, own, ["off.test"]));
    records.set(record, value);
    await expect(setNames(ada, own, ["off.test"])).rejects.toMatchObject({ reason: "server.name_forbidden" });
    expect(await namesOf(holder)).toEqual(["off.test"]);
  });

  test("a name to a server for an admin, who gets the error that it is taken", async () => {
    await create(2n, ["taken.test"]);
    await expect(setNames(admin, await create(1n), ["taken.test"])).rejects.toMatchObject({
      reason: "server.name_taken",
    });
  });
});
