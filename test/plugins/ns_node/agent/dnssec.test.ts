import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { delv, delvRuns, mixedServer } from "../../../servers/delv.ts";
import { knotRuns } from "../../../servers/knot.ts";
import { DNSSite, type Machine, refuses, serialOf, serves } from "./rig.ts";

const WAIT = { timeout: 120_000, interval: 100 };

describe.skipIf(!knotRuns() || !delvRuns())("agents with Knot that sign", () => {
  let site: DNSSite;
  let first: Machine;
  let second: Machine;
  beforeAll(async () => {
    site = await DNSSite.open();
    [first, second] = [await site.machine(), await site.machine()];
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  const keysOf = async ({ knot }: Machine, zone: string) => await knot.short(zone, "DNSKEY");
  const dsOf = async (nsDomainId: number): Promise<string[]> =>
    (await site.call("NSDNSSECService/findNSDomainDNSSEC", { nsDomainId })).dsRecords;
  /** The zones of which a machine has private keys. */
  const zonesWithKeys = ({ knot }: Machine) =>
    execFileSync("/usr/sbin/keymgr", ["-D", join(knot.folder, "db", "keys"), "-l"]).toString();

  async function signed(name: string): Promise<number> {
    const nsDomainId = await site.domain(name);
    await site.record(nsDomainId, "www", "A", "192.0.2.1");
    await site.call("NSDNSSECService/enableNSDomainDNSSEC", { nsDomainId });
    for (const machine of [first, second]) {
      await vi.waitFor(async () => expect(await keysOf(machine, name)).toHaveLength(2), WAIT);
    }
    return nsDomainId;
  }

  async function validates(
    { knot }: Pick<Machine, "knot">,
    zone: string,
    ds: readonly string[],
    name: string,
    type = "A",
  ) {
    await vi.waitFor(
      async () => expect(await delv(knot.port, zone, ds, name, type)).toContain("; fully validated"),
      WAIT,
    );
  }

  test("sign with one set of keys, so that records of one are valid with the keys of another", async () => {
    const nsDomainId = await signed("one.test");
    expect(await keysOf(first, "one.test")).toEqual(await keysOf(second, "one.test"));
    const ds = await dsOf(nsDomainId);
    await validates(first, "one.test", ds, "www.one.test");
    await validates(second, "one.test", ds, "www.one.test");
    await using mixed = await mixedServer(first.knot.port, second.knot.port);
    expect(await delv(mixed.port, "one.test", ds, "www.one.test", "A")).toContain("; fully validated");
    expect(await delv(mixed.port, "one.test", ds, "no.one.test", "A")).toMatch(/negative response, fully validated/);
    const wrong = ds.map((text) => text.replace(/.$/, (digit) => digit === "0" ? "1" : "0"));
    expect(await delv(first.knot.port, "one.test", wrong, "www.one.test", "A")).not.toContain("fully validated");
  });

  test("sign records that change, with higher serials", async () => {
    const nsDomainId = await signed("change.test");
    const ds = await dsOf(nsDomainId);
    // Knot counts further than the clock of the server has come
    for (let times = 0; times < 120; times++) first.knot.knotc("-b", "zone-sign", "change.test");
    const before = await serialOf(first, "change.test");
    expect(before).toBeGreaterThan(Date.now() / 1000 + 30);
    await site.record(nsDomainId, "new", "A", "192.0.2.7");
    await serves(first, "new.change.test", "A", "192.0.2.7");
    await validates(first, "change.test", ds, "new.change.test");
    expect(await serialOf(first, "change.test")).toBeGreaterThan(before);
  });

  test("sign a domain from its first response when it is on again", async () => {
    const nsDomainId = await signed("again.test");
    const ds = await dsOf(nsDomainId);
    await site.call("NSDomainService/updateNSDomain", { nsDomainId, nsClusterId: site.nsClusterId, isOn: false });
    await refuses(first, "again.test");
    await vi.waitFor(() => expect(zonesWithKeys(first)).not.toContain("again.test"), WAIT);
    await site.call("NSDomainService/updateNSDomain", { nsDomainId, nsClusterId: site.nsClusterId, isOn: true });
    // the first response with the record has a signature
    let response = "";
    await vi.waitFor(async () => {
      response = await first.knot.dig("+dnssec", "www.again.test", "A");
      expect(response).toContain("192.0.2.1");
    }, { ...WAIT, interval: 5 });
    expect(response).toContain("RRSIG");
    await validates(first, "again.test", ds, "www.again.test");
  });

  test("go on after the agent or Knot was killed, also without what Knot had stored, and without other keys", async () => {
    const nsDomainId = await signed("killed.test");
    const ds = await dsOf(nsDomainId);
    const keys = await keysOf(first, "killed.test");
    await first.agent.kill();
    const kasp = join(first.knot.folder, "db", "keys");
    execFileSync("/usr/sbin/keymgr", ["-D", kasp, "killed.test", "generate", "algorithm=13", "ksk=yes"]);
    await first.agent.restart();
    await vi.waitFor(() => {
      const list = execFileSync("/usr/sbin/keymgr", ["-D", kasp, "killed.test", "list"]).toString();
      expect(list.trim().split("\n")).toHaveLength(2);
    }, WAIT);
    await first.knot.kill();
    await first.knot.forget();
    await first.knot.restart();
    await validates(first, "killed.test", ds, "www.killed.test");
    expect(await keysOf(first, "killed.test")).toEqual(keys);
  });

  test("stop signing, and keep no keys", async () => {
    const nsDomainId = await signed("off.test");
    const before = await serialOf(second, "off.test");
    await second.agent.kill();
    await site.call("NSDNSSECService/disableNSDomainDNSSEC", { nsDomainId, isForced: true });
    await second.agent.restart();
    for (const machine of [first, second]) {
      await vi.waitFor(async () => expect(await keysOf(machine, "off.test")).toEqual([]), WAIT);
      await vi.waitFor(() => expect(zonesWithKeys(machine)).not.toContain("off.test"), WAIT);
      expect(await machine.knot.dig("+dnssec", "www.off.test", "A")).not.toContain("RRSIG");
      await serves(machine, "www.off.test", "A", "192.0.2.1");
    }
    expect(await serialOf(second, "off.test")).toBeGreaterThan(before);
    await site.record(nsDomainId, "more", "A", "192.0.2.8");
    await serves(second, "more.off.test", "A", "192.0.2.8");
  });

  test("keep no keys of a domain that is deleted", async () => {
    const nsDomainId = await signed("gone.test");
    await site.call("NSDomainService/deleteNSDomain", { nsDomainId });
    await refuses(first, "gone.test");
    await vi.waitFor(() => expect(zonesWithKeys(first)).not.toContain("gone.test"), WAIT);
  });
});
