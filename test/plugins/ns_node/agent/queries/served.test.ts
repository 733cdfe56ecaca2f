import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { knotRuns } from "../../../../servers/knot.ts";
import { DNSSite, type Machine } from "../rig.ts";

const WAIT = { timeout: 120_000, interval: 50 };

describe.skipIf(!knotRuns())("the queries of an agent with Knot", () => {
  let site: DNSSite;
  let machine: Machine;
  let warm: { nsDomainId: number };
  beforeAll(async () => {
    site = await DNSSite.open();
    machine = await site.machine();
    warm = await served("warm.test");
    await reports();
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  /** Returns the sums of a domain as an admin sees them. */
  async function sumsOf(nsDomainId: number) {
    const sums = await site.call("NSRecordHourlyStatService/sumNSDomainStats", { nsDomainId });
    const named = (rows: { name: string; countRequests: number }[]) =>
      Object.fromEntries(rows.map(({ name, countRequests }) => [name, countRequests]));
    const records = sums.records.map((row: { nsRecordId: number; countRequests: number }) => [
      row.nsRecordId,
      row.countRequests,
    ]);
    return {
      ...{ count: sums.countRequests, types: named(sums.types), codes: named(sums.codes) },
      records: Object.fromEntries(records),
    };
  }

  /** Waits until what Knot is asked arrives: until its connection to the agent is open, it drops what it would report. */
  async function reports(): Promise<void> {
    const { count } = await sumsOf(warm.nsDomainId);
    await vi.waitFor(async () => {
      await machine.knot.dig("warm.test", "SOA");
      expect((await sumsOf(warm.nsDomainId)).count).toBeGreaterThan(count);
    }, WAIT);
  }

  /** Makes a domain with records, and waits until Knot has it, without a query. */
  async function served(name: string): Promise<{ nsDomainId: number; records: number[] }> {
    const nsDomainId = await site.domain(name);
    const records = [
      await site.record(nsDomainId, "www", "A", "192.0.2.1"),
      await site.record(nsDomainId, "www", "A", "192.0.2.2"),
      await site.record(nsDomainId, "alias", "CNAME", "www"),
      await site.record(nsDomainId, "*.wild", "TXT", "anything"),
    ];
    await vi.waitFor(
      async () => expect(await machine.knot.tryKnotc("zone-read", name, "*.wild", "TXT")).toContain("anything"),
      WAIT,
    );
    return { nsDomainId, records };
  }

  async function ask(times: number, name: string, type: string, ...more: string[]): Promise<void> {
    for (let at = 0; at < times; at++) await machine.knot.dig(name, type, ...more);
  }

  /** Returns the number of queries of a domain that are on the disk of the agent. */
  async function storedOf(nsDomainId: number): Promise<number> {
    const folder = join(machine.agent.folder, "state", "queries");
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".json"));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    return texts.flatMap((text) => JSON.parse(text).domains).filter(([, id]) => id === `${nsDomainId}`)
      .reduce((sum, [, , , , count]) => sum + count, 0);
  }

  test("come to the API by domain, record, type and code, each once", async () => {
    const { nsDomainId, records: [first, second, alias, wild] } = await served("counted.test");
    await ask(40, "www.counted.test", "A");
    await ask(10, "WWW.Counted.TEST", "A", "+tcp");
    await ask(20, "www.counted.test", "AAAA");
    await ask(10, "alias.counted.test", "A");
    await ask(10, "x.y.wild.counted.test", "TXT");
    await ask(10, "missing.counted.test", "MX");
    await ask(5, "www.elsewhere.test", "A");
    const exactly = {
      count: 100,
      types: { A: 60, AAAA: 20, TXT: 10, MX: 10 },
      codes: { NOERROR: 90, NXDOMAIN: 10 },
      records: { [first!]: 50, [second!]: 50, [alias!]: 10, [wild!]: 10 },
    };
    await vi.waitFor(async () => expect(await sumsOf(nsDomainId)).toEqual(exactly), WAIT);
    // whatever comes later is not of this domain
    await reports();
    expect(await sumsOf(nsDomainId)).toEqual(exactly);
  });

  test("outlive a kill of the API and of the agent", async () => {
    const { nsDomainId } = await served("killed.test");
    await site.killServer(async () => {
      await ask(10, "www.killed.test", "A");
      await vi.waitFor(async () => expect(await storedOf(nsDomainId)).toBe(10), WAIT);
      await machine.agent.kill();
    });
    await machine.agent.restart();
    await vi.waitFor(async () => expect((await sumsOf(nsDomainId)).count).toBe(10), WAIT);
    await reports();
    expect((await sumsOf(nsDomainId)).count).toBe(10);
  });

  test("are counted again after Knot was killed", async () => {
    const { nsDomainId } = await served("again.test");
    await machine.knot.kill();
    await machine.knot.restart();
    await reports();
    await ask(10, "www.again.test", "A");
    await vi.waitFor(async () => expect((await sumsOf(nsDomainId)).count).toBe(10), WAIT);
  });
});
