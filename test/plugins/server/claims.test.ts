import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, create, edgehelm, find, json, service, useKernel } from "./rig.ts";

useKernel();

const ada = as.user(1n);
const bob = as.user(2n);
const list = (names: readonly string[]) => json(names.map((name) => ({ name })));

function setNames(caller: typeof admin, serverId: bigint, names: readonly string[]) {
  return edgehelm.call(caller, service.updateServerNames, { serverId, serverNamesJSON: list(names) });
}

async function namesOf(serverId: bigint): Promise<string[]> {
  const { serverNamesJSON } = await edgehelm.call(admin, service.findServerNames, { serverId });
  return (JSON.parse(new TextDecoder().decode(serverNamesJSON)) as { name: string }[]).map(({ name }) => name);
}

describe("finding 10: a user claims only names that can be registered", () => {
  test.each([
    "~.*",
    "~(a+)+$",
    "~^www\\.example\\.com$",
    "*",
    "*.com",
    ".com",
    "*.co.uk",
    "*.github.io",
    "co.uk",
    "localhost",
    "192.0.2.1",
    "2001:db8::1",
    "*.xn--p1ai",
  ])("a user is refused %s", async (name) => {
    const serverId = await create({ userId: 1n });
    await expect(setNames(ada, serverId, ["fine.test", name])).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining("serverNamesJSON[1].name"),
    });
    expect(await namesOf(serverId)).toEqual([]);
  });

  test.each(["*.shop.co.uk", ".shop.co.uk", "a.b.shop.co.uk", "me.github.io", "_acme.shop.co.uk"])(
    "a user may have %s",
    async (name) => {
      const serverId = await create({ userId: 1n });
      await setNames(ada, serverId, [name]);
      expect(await namesOf(serverId)).toEqual([name]);
      await edgehelm.call(admin, service.deleteServer, { serverId });
    },
  );

  test("names inside subNames are checked as well", async () => {
    const serverId = await create({ userId: 1n });
    const serverNamesJSON = json([{ name: "all", subNames: ["*.com"] }]);
    await expect(edgehelm.call(ada, service.updateServerNames, { serverId, serverNamesJSON }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining("serverNamesJSON[0].subNames[0]") });
  });

  test("a user keeps what an admin added, and can change the other names", async () => {
    const serverId = await create({ userId: 1n, serverNamesJSON: list(["~^kept\\.", "*.dev"]) });
    await setNames(ada, serverId, ["~^kept\\.", "*.dev", "own.kept.test"]);
    await setNames(ada, serverId, ["own.kept.test"]);
    await expect(setNames(ada, serverId, ["*.dev"])).rejects.toMatchObject({ code: 400 });
    await setNames(ada, serverId, []);
  });
});

describe("names of admins", () => {
  test.each(["~^(www|m)\\.[\\w-]+\\.example\\.com$", "~.*", "*.com", "*", "192.0.2.1", "~^(?:a|b)?x{2,5}(ab)+$"])(
    "an admin may use %s",
    async (name) => {
      const serverId = await create({ serverNamesJSON: list([name]) });
      await edgehelm.call(admin, service.deleteServer, { serverId });
    },
  );

  test.each([
    ["~(a+)+$", "a repetition of"],
    ["~(a|a)*$", "a repetition of"],
    ["~(a?){30}", "a repetition of"],
    ["~(?:[a-z]+\\.)*x", "a repetition of"],
    ["~a*a*a*b", "at most two repetitions"],
    ["~" + "(a|b)".repeat(30), "at most two repetitions"],
    ["~" + "a?".repeat(30), "at most two repetitions"],
    ["~(?=a)b", "a look-around group"],
    ["~(?i:a)b", "a look-around group"],
    ["~(a)\\1", "a back reference"],
    ["~" + "a".repeat(253), "at most 253 characters"],
    ["a..test", "must be a host name"],
    ["xn--a.test", "must be a host name"],
    ["127.1", "must be a host name"],
    ["a.0x7f", "must be a host name"],
    ["a/b.test", "must be a host name"],
    ["*.*.test", "must be a host name"],
  ])("an admin is refused %s", async (name, text) => {
    await expect(create({ serverNamesJSON: list([name]) }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(text) });
  });
});

describe("a name is one owner's in a cluster", () => {
  test("in every spelling", async () => {
    await create({ userId: 1n, serverNamesJSON: list(["Bücher.test"]) });
    const serverId = await create({ userId: 2n });
    for (const name of ["bücher.test", "BÜCHER.test.", "xn--bcher-kva.test", "XN--BCHER-KVA.TEST", "bücher。test"]) {
      await expect(setNames(bob, serverId, [name])).rejects.toMatchObject({ reason: "server.name_taken" });
    }
  });

  test("a user cannot take a name that a wildcard of another owner matches", async () => {
    await create({ userId: 1n, serverNamesJSON: list(["*.wide.test"]) });
    const [own, other] = [await create({ userId: 1n }), await create({ userId: 2n })];
    await expect(setNames(bob, other, ["login.wide.test"])).rejects.toMatchObject({ reason: "server.name_matched" });
    await expect(setNames(bob, other, ["*.a.wide.test"])).rejects.toMatchObject({ reason: "server.name_matched" });
    await setNames(bob, other, ["wide.test"]);
    await setNames(ada, own, ["login.wide.test"]);
    await setNames(admin, other, ["other.wide.test"]);
    expect(await namesOf(other)).toEqual(["other.wide.test"]);
    // a name that an admin gave may stay
    await setNames(bob, other, ["other.wide.test", "more.test"]);
  });

  test("a catch-all of an admin keeps no name from users", async () => {
    const all = await create({ nodeClusterId: 2n, serverNamesJSON: list(["*", "*.test"]) });
    const serverId = await create({ userId: 2n, nodeClusterId: 2n });
    await setNames(bob, serverId, ["free.test"]);
    await edgehelm.call(admin, service.deleteServers, { serverIds: [all, serverId] });
  });
});

describe("finding 10: what an admin turned off stays off", () => {
  const turn = (caller: typeof admin, serverId: bigint, isOn: boolean) =>
    edgehelm.call(caller, service.updateServerIsOn, { serverId, isOn });

  test("its owner cannot turn it on, and an admin can", async () => {
    const serverId = await create({ userId: 1n });
    await turn(ada, serverId, false);
    await turn(ada, serverId, true);
    await turn(admin, serverId, false);
    await expect(turn(ada, serverId, true)).rejects.toMatchObject({ code: 403, reason: "server.off_by_admin" });
    await turn(ada, serverId, false);
    await expect(turn(ada, serverId, true)).rejects.toMatchObject({ reason: "server.off_by_admin" });
    expect(await find(serverId)).toMatchObject({ isOn: false });
    await turn(admin, serverId, true);
    await turn(ada, serverId, false);
    await turn(ada, serverId, true);
    expect(await find(serverId)).toMatchObject({ isOn: true });
  });

  test("also when the admin changes all basic settings", async () => {
    const serverId = await create({ userId: 1n });
    const basic = { serverId, name: "basic", nodeClusterId: 1n };
    await edgehelm.call(admin, service.updateServerBasic, { ...basic, isOn: false });
    await expect(turn(ada, serverId, true)).rejects.toMatchObject({ reason: "server.off_by_admin" });
    await edgehelm.call(admin, service.updateServerBasic, { ...basic, isOn: true });
    await turn(ada, serverId, false);
    // it was off already, so it stays a decision of its owner
    await edgehelm.call(admin, service.updateServerBasic, { ...basic, isOn: false });
    await turn(ada, serverId, true);
  });

  test("its names are kept from users on other sites and clusters, after it was deleted too", async () => {
    const off = await create({ userId: 1n, serverNamesJSON: list(["bad.off.test", "*.deep.off.test"]) });
    await turn(admin, off, false);
    // the owner may change names of the site that is off
    await setNames(ada, off, ["other.off.test"]);
    await setNames(ada, off, ["bad.off.test"]);
    const same = await create({ userId: 1n });
    const others = await create({ userId: 2n, nodeClusterId: 2n });
    await edgehelm.call(ada, service.deleteServer, { serverId: off });
    for (const [caller, serverId] of [[ada, same], [bob, others]] as const) {
      for (const name of ["BAD.off.test", "x.deep.off.test", "*.deep.off.test", "*.off.test", ".off.test"]) {
        await expect(setNames(caller, serverId, [name])).rejects.toMatchObject({ reason: "server.name_forbidden" });
      }
      await setNames(caller, serverId, ["off.test", "good.off.test"]);
      await setNames(caller, serverId, []);
    }
    await setNames(admin, same, ["bad.off.test"]);
    await setNames(ada, same, []);
    await setNames(ada, same, ["bad.off.test"]);
  });

  test("a wildcard with a leading full stop also covers the forbidden name itself", async () => {
    const off = await create({ userId: 1n, serverNamesJSON: list(["apex-off.test"]) });
    await turn(admin, off, false);
    const serverId = await create({ userId: 1n, nodeClusterId: 2n });
    await setNames(ada, serverId, ["*.apex-off.test"]);
    await expect(setNames(ada, serverId, [".apex-off.test"])).rejects.toMatchObject({
      reason: "server.name_forbidden",
    });
    await turn(admin, off, true);
    await setNames(ada, serverId, [".apex-off.test"]);
  });

  test("names that an admin adds to a site that is off are forbidden too", async () => {
    const off = await create({ userId: 1n });
    await turn(admin, off, false);
    await setNames(admin, off, ["late-off.test"]);
    const serverId = await create({ userId: 1n, nodeClusterId: 2n });
    await expect(setNames(ada, serverId, ["late-off.test"])).rejects.toMatchObject({ reason: "server.name_forbidden" });
  });
});
