import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, bytes, edgehelm, json, rpc } from "./rig.ts";

describe("createNSCluster", () => {
  test("stores the settings, with hosts in lower-case ASCII", async () => {
    const { nsClusterId } = await edgehelm.call(admin, rpc.createNSCluster, {
      name: " main ",
      hosts: ["NS1.Example.com.", "ns2.bücher.example"],
      email: "dns@example.com",
      accessLogJSON: bytes({ isOn: true }),
      soaJSON: bytes({ refreshSeconds: 60 }),
    });
    const { nsCluster } = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId });
    const hosts = ["ns1.example.com", "ns2.xn--bcher-kva.example"];
    expect(nsCluster).toMatchObject({ id: nsClusterId, isOn: true, name: "main", hosts, email: "dns@example.com" });
    expect(json(nsCluster!.soaJSON)).toEqual({ refreshSeconds: 60 });
    expect((await edgehelm.call(admin, rpc.findNSClusterHosts, { nsClusterId })).hosts).toEqual(hosts);
    const log = await edgehelm.call(admin, rpc.findNSClusterAccessLog, { nsClusterId });
    expect(json(log.AccessLogJSON)).toEqual({ isOn: true });
  });

  test.each([
    [{ name: "" }, "name: must not be empty"],
    [{ hosts: ["a b"] }, 'hosts[0]: must be a host name such as ns1.example.com, got "a b"'],
    [{ hosts: ["ok.example", "-a.example"] }, "hosts[1]: must be a host name"],
    [{ hosts: ["10.0.0.1"] }, "hosts[0]: must be a host name"],
    [{ hosts: ["example.com:53"] }, "hosts[0]: must be a host name"],
    [{ hosts: [`${"a".repeat(64)}.example`] }, "hosts[0]: must be a host name"],
    [{ hosts: [""] }, "hosts[0]: must be a host name"],
    [{ hosts: ["a.example", "A.example."] }, 'hosts[1]: "a.example" is listed twice'],
    [{ hosts: Array.from({ length: 33 }, (_, at) => `ns${at}.example`) }, "hosts: must have at most 32 items, got 33"],
    [{ email: "admin" }, 'email: must be an email address such as admin@example.com, got "admin"'],
    [{ email: "a@b c" }, "email: must be an email address"],
    [{ soaJSON: bytes("{") }, "soaJSON"],
    [{ soaJSON: bytes({ retrySeconds: 0 }) }, "soaJSON.retrySeconds: must be 1 to 2147483647, got 0"],
    [{ accessLogJSON: bytes({ isOn: "yes" }) }, "accessLogJSON.isOn"],
  ])("refuses %j", async (wrong, message) => {
    const create = edgehelm.call(admin, rpc.createNSCluster, { name: "main", ...wrong });
    await expect(create).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("may be called only by admins", async () => {
    await expect(edgehelm.call(as.user(7n), rpc.createNSCluster, { name: "mine" })).rejects.toMatchObject({
      code: 403,
    });
  });
});
