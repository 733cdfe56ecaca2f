import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, changed, create, edgehelm, find, json, service, useKernel } from "./rig.ts";

useKernel();

describe("names", () => {
  test("can be used by one server of a cluster, and again after it is deleted", async () => {
    const serverNamesJSON = json([{ name: "one.test" }]);
    const serverId = await create({ serverNamesJSON });
    await expect(create({ serverNamesJSON })).rejects.toMatchObject({ code: 409, reason: "server.name_taken" });
    const otherCluster = await create({ serverNamesJSON, nodeClusterId: 2n });
    const move = { serverId: otherCluster, name: "moved", nodeClusterId: 1n, isOn: true };
    await expect(edgehelm.call(admin, service.updateServerBasic, move)).rejects.toMatchObject({ code: 409 });
    expect(await find(otherCluster)).toMatchObject({ name: "site", nodeCluster: { id: 2n } });
    await edgehelm.call(admin, service.deleteServer, { serverId });
    await edgehelm.call(admin, service.updateServerBasic, move);
    expect(changed.at(-1)).toEqual([2n, 1n]);
    await expect(create({ serverNamesJSON })).rejects.toMatchObject({ code: 409 });
  });

  test("are matched against wildcards on request", async () => {
    const serverId = await create({ nodeClusterId: 3n, serverNamesJSON: json([{ name: "*.wild.test" }]) });
    const check = (name: string) =>
      edgehelm.call(admin, service.checkServerNameInServer, { serverId, serverName: name });
    expect([(await check("a.wild.test")).exists, (await check("wild.test")).exists]).toEqual([true, false]);
    const request = { nodeClusterId: 3n, serverNames: ["a.wild.test", "b.test"] };
    const findDuplicates = (supportWildcard: boolean, excludeServerId = 0n) =>
      edgehelm.call(admin, service.checkServerNameDuplicationInNodeCluster, {
        ...request,
        supportWildcard,
        excludeServerId,
      });
    expect((await findDuplicates(false)).duplicatedServerNames).toEqual([]);
    expect((await findDuplicates(true)).duplicatedServerNames).toEqual(["a.wild.test"]);
    expect((await findDuplicates(true, serverId)).duplicatedServerNames).toEqual([]);
  });

  test("can be replaced, listed and counted by the owner", async () => {
    const owner = as.user(3n);
    const serverId = await create({ userId: 3n });
    const serverNamesJSON = json([{ name: "b.own.test" }, { name: "a.own.test" }]);
    await edgehelm.call(owner, service.updateServerNames, { serverId, serverNamesJSON });
    const { serverNames } = await edgehelm.call(owner, service.findAllEnabledServerNamesWithUserId, {});
    expect(serverNames).toEqual(["a.own.test", "b.own.test"]);
    expect((await edgehelm.call(owner, service.countAllServerNamesWithUserId, {})).count).toBe(2n);
    expect((await edgehelm.call(owner, service.countServerNames, { serverId })).count).toBe(2n);
    await edgehelm.call(owner, service.updateServerNames, { serverId, serverNamesJSON: json([]) });
    expect((await edgehelm.call(owner, service.countAllServerNamesWithUserId, {})).count).toBe(0n);
  });
});
