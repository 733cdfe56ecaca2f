import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, countsMatchRows, descriptions, FOREIGN, LEFT, list, params, unread, write } from "./rig.ts";

const one = as.node(1n);

describe("createNodeLogs", () => {
  test("stores 1000 different logs of one call in order", async () => {
    const texts = Array.from({ length: 1000 }, (_, index) => `${index} ${"x".repeat(900)}`);
    await write(one, ...texts.map((description) => ({ description })));
    expect(await unread()).toBe(1000n);
    const newest = await list({ size: 3n });
    expect(newest.map(({ description }) => description.split(" ")[0])).toEqual(["999", "998", "997"]);
  });

  test("treats the logs of one call like logs of separate calls", async () => {
    const listen = { type: "listenAddressFailed", paramsJSON: params({ address: ":443" }) };
    await write(one, { ...listen, description: "taken before" });
    await write(
      one,
      { ...listen, description: "taken before" },
      { ...listen, description: "taken" },
      { ...listen, description: "taken" },
      { ...listen, description: "listens", level: "success" },
      { ...listen, description: "listens", level: "success" },
      { ...listen, description: "taken" },
    );
    const found = (await list()).map((
      { description, count, isFixed, isRead },
    ) => [description, count, isFixed, isRead]);
    expect(found).toEqual([
      ["taken", 1, false, false],
      ["listens", 2, false, true],
      ["taken", 2, true, true],
      ["taken before", 2, true, true],
    ]);
    expect(await countsMatchRows()).toBe(true);
  });

  test("overrides the role and the id in the logs of a node", async () => {
    const forged = { role: "dns", nodeId: 9n, description: "forged", id: 77n, count: 5, isFixed: true, isRead: true };
    await write(one, forged);
    await write(as.report(4n), { ...forged, role: "node" });
    await write(admin, { role: "monitor", nodeId: 9n, description: "by an admin" });
    expect(await list()).toMatchObject([
      { role: "monitor", nodeId: 9n },
      { role: "report", nodeId: 4n, count: 1, isFixed: false, isRead: false },
      { role: "node", nodeId: 1n },
    ]);
  });

  test("refuses a log of an admin without a role, and logs of users", async () => {
    await expect(write(admin, { description: "without a role" })).rejects.toMatchObject({ code: 400 });
    await expect(write(as.user(7n), { description: "of a user" })).rejects.toMatchObject({ code: 403 });
  });
});

describe("logs about sites and origins that a node does not serve", () => {
  test.each(["node", "dns", "report"] as const)("are dropped from the batch of a %s", async (role) => {
    const caller = { role, id: 1n };
    await write(
      caller,
      { description: "no site" },
      { description: "own", serverId: 5n, originId: 6n },
      { description: "foreign site", serverId: FOREIGN },
      { description: "foreign origin", originId: FOREIGN },
      { description: "foreign origin of an own site", serverId: 5n, originId: FOREIGN },
      { description: "last of a site that left", serverId: LEFT.id, createdAt: LEFT.servedUntil },
      { description: "too late for a site that left", serverId: LEFT.id, createdAt: LEFT.servedUntil + 1n },
    );
    expect((await descriptions()).sort()).toEqual(["last of a site that left", "no site", "own"]);
  });

  test("are stored for admins", async () => {
    await write(admin, { description: "any", role: "dns", nodeId: 4n, serverId: FOREIGN, originId: FOREIGN });
    expect(await descriptions()).toEqual(["any"]);
  });
});
