import { createSocket } from "node:dgram";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decode, encode, type RecordType, type StringAnswer, type TxtAnswer } from "dns-packet";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { knotRuns } from "../../../../servers/knot.ts";
import { geoipRuns, startKnotWithGeoip } from "../../../../servers/geoip/knot_geoip.ts";
import { countryDatabase } from "../../../../servers/geoip/country_database.ts";
import { DNSSite, serves } from "../rig.ts";

const WAIT = { timeout: 120_000, interval: 50 };
const CHANGES = 25;

describe.skipIf([knotRuns(), geoipRuns()].includes(false))("an agent with Knot and routes", () => {
  let site: DNSSite;
  beforeAll(async () => {
    site = await DNSSite.open();
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  async function route(name: string, cidr: string): Promise<string> {
    const rangesJSON = Buffer.from(JSON.stringify([{ type: "cidr", params: { cidr } }])).toString("base64");
    const { nsRouteId } = await site.call("NSRouteService/createNSRoute", { name, rangesJSON, isPublic: true });
    return `id:${nsRouteId}`;
  }

  const replace = (name: string, from: string, to: string) =>
    site.call("NSRecordService/updateNSRecordsWithDomainNames", {
      ...{ nsDomainNames: [name], searchValue: from, newValue: to },
    });

  test("changes all records of a route at once", async () => {
    const machine = await site.machine(startKnotWithGeoip);
    const nsRouteCodes = [await route("local", "127.0.0.0/8")];
    const nsDomainId = await site.domain("whole.test");
    await site.record(nsDomainId, "a", "A", "192.0.2.0", { nsRouteCodes });
    await site.record(nsDomainId, "b", "TXT", "192.0.2.0", { nsRouteCodes });
    await site.record(nsDomainId, "c", "A", "192.0.2.0");
    await serves(machine, "b.whole.test", "TXT", '"192.0.2.0"');
    await serves(machine, "c.whole.test", "A", "192.0.2.0");
    using asker = new Asker(machine.knot.port);
    let [count, mixed] = [0, 0];
    const longest = { begin: 0, milliseconds: 0 };
    for (let change = 1; change <= CHANGES; change++) {
      const changing = replace("whole.test", `192.0.2.${change - 1}`, `192.0.2.${change}`);
      // what a later response has must not be older
      for (let last = -1; last < change;) {
        const c = await asker.ask("c.whole.test", "A");
        const a = await asker.ask("a.whole.test", "A");
        const b = await asker.ask("b.whole.test", "TXT");
        last = await asker.ask("a.whole.test", "A");
        expect([a <= b, b <= last]).toEqual([true, true]);
        count++;
        if (a >= c) longest.begin = 0;
        else {
          mixed++;
          longest.begin ||= performance.now();
          longest.milliseconds = Math.max(longest.milliseconds, performance.now() - longest.begin);
        }
      }
      await changing;
    }
    // the records of everyone come a moment before: the guide says so
    console.log(
      `${count} samples of ${CHANGES} changes, ${mixed} mixed, at most ${longest.milliseconds.toFixed(1)} ms`,
    );
    expect(count).toBeGreaterThan(CHANGES);
  });

  test("leaves routes out, and says why, where Knot would crash", async () => {
    const machine = await site.machine(() => startKnotWithGeoip({ isPinned: false }));
    await vi.waitFor(
      () => expect(machine.agent.output).toContain("without the module in LD_PRELOAD, Knot crashes"),
      WAIT,
    );
  });

  test("tells countries apart by a database", async () => {
    const networks = { "127.0.0.0/30": "CZ", "127.0.0.8/29": "US" };
    const path = join(site.environment["EDGEHELM_DATA_DIR"] ?? "/tmp", "countries.mmdb");
    await writeFile(path, countryDatabase(networks));
    const machine = await site.machine(startKnotWithGeoip, { EDGE_DNS_COUNTRIES: path });
    const nsDomainId = await site.domain("countries.test");
    const some = await route("some", "127.0.0.9/32");
    const records = [["192.0.2.1", "world:CZ"], ["192.0.2.2", "world:US"], ["192.0.2.3", "default"], [
      "192.0.2.4",
      some,
    ]];
    for (const [value, code] of records) {
      await site.record(nsDomainId, "www", "A", value!, { nsRouteCodes: [code] });
    }
    const expected = { "127.0.0.1": 1, "127.0.0.10": 2, "127.0.0.5": 3, "127.0.0.9": 4 };
    for (const [from, last] of Object.entries(expected)) {
      await vi.waitFor(async () => {
        expect(await machine.knot.dig("+short", "-b", from, "www.countries.test", "A")).toBe(`192.0.2.${last}\n`);
      }, WAIT);
    }
  });
});

/** Asks a server from one socket, without a process for each question. */
class Asker implements Disposable {
  readonly #socket = createSocket("udp4");
  readonly #port: number;
  #id = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Returns the last number of the address or text that a name has. */
  async ask(name: string, type: RecordType): Promise<number> {
    const id = this.#id = this.#id % 60_000 + 1;
    const query = encode({ type: "query", id, questions: [{ name, type }] });
    const response = await new Promise<Buffer>((resolve) => {
      const take = (message: Buffer) => {
        if (message.readUInt16BE(0) !== id) return;
        this.#socket.off("message", take);
        resolve(message);
      };
      this.#socket.on("message", take);
      this.#socket.send(query, this.#port, "127.0.0.1");
    });
    const [answer] = decode(response).answers as (StringAnswer | TxtAnswer)[];
    return Number(String(answer?.data).split(".").at(-1));
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
