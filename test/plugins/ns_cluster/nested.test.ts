import { jsonCodec } from "edgehelm/wire";
import { NSClusterSchema } from "edgehelm/proto/models/ns_cluster_pb.js";
import { describe, expect, test } from "vitest";
import { admin, bytes, clusters, CONFIGS, edgehelm, newCluster, rpc } from "./rig.ts";

const codec = jsonCodec(NSClusterSchema);
const call = () => edgehelm.kernel.systemCall("test");

async function nested(id: bigint) {
  return (await clusters.nested(call(), [id])).get(id);
}

async function found(nsClusterId: bigint) {
  return (await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId })).nsCluster;
}

const CHANGES: [string, (nsClusterId: bigint) => Promise<unknown>][] = [
  ["updateNSCluster", (nsClusterId) => edgehelm.call(admin, rpc.updateNSCluster, { nsClusterId, name: "renamed" })],
  ...CONFIGS.map(([field, , operation, value]): (typeof CHANGES)[number] => [
    `updateNSCluster${operation}`,
    (nsClusterId) => {
      const method = rpc[`updateNSCluster${operation}` as "updateNSClusterTCP"];
      return edgehelm.call(admin, method, { nsClusterId, [field]: bytes(value) });
    },
  ]),
];

describe("clusters inside other objects", () => {
  test.each(CHANGES)("are current after %s", async (_name, change) => {
    const id = await newCluster();
    expect(await nested(id)).toMatchObject({ name: "main" });
    await change(id);
    expect(codec.encode((await nested(id))!)).toBe(codec.encode((await found(id))!));
  });

  test("are absent once deleted", async () => {
    const [id, other] = [await newCluster(), await newCluster()];
    await clusters.nested(call(), [id, other]);
    await edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId: id });
    expect([...(await clusters.nested(call(), [id, other])).keys()]).toEqual([other]);
  });

  test("are kept in memory until they change, and not from transactions, which may be rolled back", async () => {
    const id = await newCluster();
    const inTransaction = await call().transact(async (inner) => (await clusters.nested(inner, [id])).get(id));
    const kept = await nested(id);
    expect(kept).toEqual(inTransaction);
    expect(await nested(id)).toBe(kept);
    expect(kept).not.toBe(inTransaction);
  });
});
