import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dsText } from "../../../../plugins/ns_dnssec/dnskey.ts";
import { type NewKey, PrivateKeys } from "../../../../plugins/ns_dnssec/keys.ts";
import { KnotConfiguration } from "../../../../plugins/ns_node/agent/knot/configuration.ts";
import { Keymgr } from "../../../../plugins/ns_node/agent/knot/keymgr.ts";
import { Knotc } from "../../../../plugins/ns_node/agent/knot/knotc.ts";
import { KnotSigning } from "../../../../plugins/ns_node/agent/knot/signing.ts";
import type { SigningKey } from "../../../../plugins/ns_node/agent/store/node_state.ts";
import { delv, delvRuns, mixedServer } from "../../../servers/delv.ts";
import { Knot, knotRuns } from "../../../servers/knot.ts";

const WAIT = { timeout: 60_000, interval: 50 };
const now = () => Math.floor(Date.now() / 1000);
const makers = new PrivateKeys({ seal: (text) => Promise.resolve(text), open: (text) => Promise.resolve(text) });

/** Knot with the part of the agent that has it sign. */
class Signer {
  readonly knot: Knot;
  readonly signing: KnotSigning;
  readonly #configuration: KnotConfiguration;

  constructor(knot: Knot, stateDirectory: string) {
    this.knot = knot;
    const knotc = new Knotc({ program: "/usr/sbin/knotc", socket: knot.socket });
    this.#configuration = new KnotConfiguration(knotc);
    const keymgr = new Keymgr({ program: "/usr/sbin/keymgr", stateDirectory, socket: knot.socket });
    this.signing = new KnotSigning({ knotc, keymgr, configuration: this.#configuration, kaspDirectory: "" });
  }

  async begin(name: string, keys: readonly SigningKey[]): Promise<void> {
    await this.#configuration.read();
    await this.#configuration.ensure([{ id: "1", name, keys: [] }]);
    await this.signing.read();
    await this.signing.sign(name, { keys });
    this.knot.knotc("zone-begin", name);
    this.knot.knotc("zone-set", name, "@", "3600", "SOA", "ns1.edge.test. dns.edge.test. 1 7200 3600 1209600 3600");
    this.knot.knotc("zone-set", name, "@", "3600", "NS", "ns1.edge.test.");
    this.knot.knotc("zone-set", name, "www", "600", "A", "192.0.2.1");
    this.knot.knotc("zone-commit", name);
    await this.signing.verify(name);
  }

  /** Returns the tags of the keys that the zone has and those with which a name is signed. */
  async tags(zone: string, name = `www.${zone}`) {
    const published = (await this.knot.dig("+multi", zone, "DNSKEY")).matchAll(/key id = (\d+)/g);
    const signed = (await this.knot.dig("+dnssec", "+short", name, "A")).matchAll(/^A 13 \d+ \d+ \d+ \d+ (\d+) /gm);
    return {
      published: Array.from(published, ([, tag]) => BigInt(tag!)).sort(),
      signing: Array.from(signed, ([, tag]) => BigInt(tag!)),
    };
  }
}

describe.skipIf(!knotRuns() || !delvRuns())("two Knots whose keys are replaced", () => {
  const signers: Signer[] = [];
  const folders: string[] = [];
  beforeAll(async () => {
    for (let at = 0; at < 2; at++) {
      const folder = await mkdtemp(join(tmpdir(), "edgehelm-signer-"));
      folders.push(folder);
      signers.push(new Signer(await Knot.start(), folder));
    }
  });
  afterAll(async () => {
    for (const { knot } of signers) await knot[Symbol.asyncDispose]();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  /** Each node validates, and so do the keys of one with the records of the other. */
  async function validates(zone: string, ds: readonly string[]): Promise<void> {
    const [first, second] = signers.map(({ knot }) => knot.port) as [number, number];
    for (const [keys, records] of [[first, first], [second, second], [first, second], [second, first]] as const) {
      await using mixed = await mixedServer(keys, records);
      expect(await delv(mixed.port, zone, ds, `www.${zone}`, "A")).toContain("; fully validated");
    }
  }

  const timed = (key: NewKey, times: Partial<SigningKey> = {}): SigningKey => ({
    ...{ role: key.role, algorithm: 13, privateKey: key.privateKey },
    ...{ publishAt: now() - 10, activeAt: now() - 10, retireAt: 0, removeAt: 0, ...times },
  });
  const applied = async (zone: string, keys: readonly SigningKey[]) => {
    for (const { signing } of signers) await signing.sign(zone, { keys });
  };
  const until = async (zone: string, published: readonly bigint[], signing: bigint) => {
    for (const signer of signers) {
      await vi.waitFor(
        async () => expect(await signer.tags(zone)).toEqual({ published: published.toSorted(), signing: [signing] }),
        WAIT,
      );
    }
  };

  test("validate at each step of a ZSK rollover, by the clock alone", async () => {
    const zone = "zsk.test";
    const [ksk, old] = [await makers.make("KSK", []), await makers.make("ZSK", [])];
    const next = await makers.make("ZSK", [ksk.keyTag, old.keyTag]);
    const ds = [await dsText(zone, ksk)];
    const first = [timed(ksk), timed(old)];
    for (const signer of signers) await signer.begin(zone, first);
    await until(zone, [ksk.keyTag, old.keyTag], old.keyTag);
    await validates(zone, ds);
    const [activeAt, removeAt] = [now() + 5, now() + 10];
    await applied(zone, [
      first[0]!,
      { ...first[1]!, retireAt: activeAt, removeAt },
      timed(next, { publishAt: now(), activeAt }),
    ]);
    await until(zone, [ksk.keyTag, old.keyTag, next.keyTag], old.keyTag);
    await validates(zone, ds);
    await until(zone, [ksk.keyTag, old.keyTag, next.keyTag], next.keyTag);
    await validates(zone, ds);
    await until(zone, [ksk.keyTag, next.keyTag], next.keyTag);
    await validates(zone, ds);
  });

  test("validate with either DS record while two KSKs sign, and with the new one after it", async () => {
    const zone = "ksk.test";
    const [old, zsk] = [await makers.make("KSK", []), await makers.make("ZSK", [])];
    const next = await makers.make("KSK", [zsk.keyTag, old.keyTag]);
    const [oldDS, nextDS] = [await dsText(zone, old), await dsText(zone, next)];
    const first = [timed(old), timed(zsk)];
    for (const signer of signers) await signer.begin(zone, first);
    await validates(zone, [oldDS]);
    await applied(zone, [...first, timed(next)]);
    await until(zone, [old.keyTag, zsk.keyTag, next.keyTag], zsk.keyTag);
    await validates(zone, [oldDS]);
    await validates(zone, [nextDS]);
    const retireAt = now() + 2;
    const last = [{ ...first[0]!, retireAt, removeAt: retireAt }, first[1]!, timed(next)];
    await applied(zone, last);
    await until(zone, [zsk.keyTag, next.keyTag], zsk.keyTag);
    await validates(zone, [nextDS]);
    // the key that the server erased goes as well
    await applied(zone, last.slice(1));
    await until(zone, [zsk.keyTag, next.keyTag], zsk.keyTag);
    await validates(zone, [nextDS]);
    const { port } = signers[0]!.knot;
    expect(await delv(port, zone, [oldDS], `www.${zone}`, "A")).not.toContain("fully validated");
  });
});
