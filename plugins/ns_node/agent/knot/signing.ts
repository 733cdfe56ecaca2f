import { join } from "node:path";
import type { KeySet } from "../store/node_state.ts";
import type { KnotConfiguration } from "./configuration.ts";
import { hasTimes, keyIdOf, type Keymgr } from "./keymgr.ts";
import { type Knotc, KnotError } from "./knotc.ts";

const POLICY = "edgehelm";
/** Keys come from the server with their times, so Knot makes none. */
const POLICY_SETTINGS = [
  ["manual", "on"],
  ["algorithm", "ecdsap256sha256"],
  ["dnskey-ttl", "3600"],
  ["cds-cdnskey-publish", "none"],
] as const;
/** A zone that takes longer is verified again in the next round. */
const MAX_ATTEMPTS = 200;
const ATTEMPTS_BETWEEN = 8;
const PAUSE_MILLISECONDS = 25;
const DEFAULT_STORAGE = "/var/lib/knot";
const DEFAULT_KASP = "keys";

export interface SigningDeps {
  readonly knotc: Knotc;
  readonly keymgr: Keymgr;
  readonly configuration: KnotConfiguration;
  /** The directory of the KASP database of Knot; empty if its configuration names it. */
  readonly kaspDirectory: string;
}

/** Has Knot sign zones with the keys of the server, and with no others. */
export class KnotSigning {
  readonly #deps: SigningDeps;
  /** The key sets that Knot certainly has, as texts, by zone name. */
  readonly #applied = new Map<string, string>();
  /** Zones that Knot was asked to sign, and may not have signed yet. */
  readonly #unverified = new Set<string>();
  #signed = new Set<string>();
  #withKeys = new Set<string>();
  #hasPolicy = false;
  #hasRead = false;

  constructor(deps: SigningDeps) {
    this.#deps = deps;
  }

  /** Reads which zones Knot signs, and which have keys. */
  async read(): Promise<void> {
    const { keymgr, configuration, kaspDirectory } = this.#deps;
    keymgr.use(kaspDirectory || await this.#kaspDirectory());
    const zones = await configuration.lines("zone");
    this.#signed = new Set(zones.flatMap((line) => /^zone\[(.+)\.\]\.dnssec-policy = edgehelm$/.exec(line)?.[1] ?? []));
    this.#withKeys = new Set(
      await keymgr.zones().catch((error) => {
        // a node that signs nothing needs no access to keys
        if (this.#signed.size > 0) throw error;
        return [];
      }),
    );
    // an agent that was killed may not have looked
    if (!this.#hasRead) { for (const name of this.#signed) this.#unverified.add(name); }
    this.#hasRead = true;
    this.#hasPolicy = (await configuration.lines("policy")).includes(`policy[${POLICY}].manual = on`);
    for (const name of this.#applied.keys()) {
      if (!this.#signed.has(name) || !this.#withKeys.has(name)) this.#applied.delete(name);
    }
  }

  /** Returns true if Knot may sign a zone, or may have keys or signatures of it. */
  isSigned(name: string): boolean {
    return this.#signed.has(name) || this.#withKeys.has(name);
  }

  /** Has Knot sign a zone that is configured, with these keys. To be called before it gets content. */
  async sign(name: string, set: KeySet): Promise<void> {
    const wanted = JSON.stringify(set.keys);
    if (this.#applied.get(name) === wanted) return;
    const { keymgr, knotc } = this.#deps;
    this.#applied.delete(name);
    this.#withKeys.add(name);
    const known = new Map((await keymgr.list(name)).map((key) => [key.id, key]));
    for (const key of set.keys) {
      const id = keyIdOf(key);
      const found = known.get(id);
      known.delete(id);
      if (found === undefined || !hasTimes(found, key)) await keymgr.put(name, key, found);
    }
    for (const id of known.keys()) await keymgr.delete(name, id);
    if (this.#signed.has(name)) await knotc.run("zone-keys-load", name);
    else await this.#turnOn(name);
    this.#applied.set(name, wanted);
  }

  /**
   * Waits until a zone that has content is signed. Knot takes over its configuration in the background, and a version that
   * is written meanwhile may stay without signatures: it is then signed again.
   *
   * @throws KnotError if Knot does not sign it
   */
  async verify(name: string): Promise<void> {
    if (!this.#unverified.has(name)) return;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (await this.#hasSignatures(name)) {
        this.#unverified.delete(name);
        return;
      }
      // refused while Knot loads the zone
      if (attempt % ATTEMPTS_BETWEEN === 0) await this.#deps.knotc.run("zone-sign", name).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
    throw new KnotError(`zone ${name}: Knot does not sign it`);
  }

  /** Has Knot sign a zone no more. Its signatures stay until the zone is written again. */
  async stop(name: string): Promise<void> {
    this.#applied.delete(name);
    if (!this.#signed.has(name)) return;
    const items = ["dnssec-signing", "dnssec-policy"].map((item) => `conf-unset zone[${name}].${item}`);
    await this.#deps.configuration.transact(items);
    this.#signed.delete(name);
  }

  /** Deletes the keys of a zone. They are last: while Knot has some, the zone may have signatures. */
  async forget(name: string): Promise<void> {
    this.#applied.delete(name);
    this.#signed.delete(name);
    if (!this.#withKeys.has(name)) return;
    for (const { id } of await this.#deps.keymgr.list(name)) await this.#deps.keymgr.delete(name, id);
    this.#withKeys.delete(name);
  }

  async #turnOn(name: string): Promise<void> {
    const policy = [`conf-set policy[${POLICY}]`].concat(
      POLICY_SETTINGS.map(([item, value]) => `conf-set policy[${POLICY}].${item} ${value}`),
    );
    await this.#deps.configuration.transact([
      ...this.#hasPolicy ? [] : policy,
      `conf-set zone[${name}].dnssec-policy ${POLICY}`,
      `conf-set zone[${name}].dnssec-signing on`,
    ]);
    this.#hasPolicy = true;
    this.#signed.add(name);
    this.#unverified.add(name);
  }

  async #hasSignatures(name: string): Promise<boolean> {
    const records = await this.#deps.knotc.run("zone-read", name, "@", "RRSIG").catch(() => "");
    return / RRSIG DNSKEY /.test(records) && / RRSIG SOA /.test(records);
  }

  async #kaspDirectory(): Promise<string> {
    const lines = await this.#deps.configuration.lines("database").catch((error) => {
      if (error instanceof KnotError) return [];
      throw error;
    });
    const valueOf = (item: string) =>
      lines.find((line) => line.startsWith(`database.${item} = `))?.split(" = ")[1]?.replaceAll('"', "");
    const kasp = valueOf("kasp-db") ?? DEFAULT_KASP;
    return kasp.startsWith("/") ? kasp : join(valueOf("storage") ?? DEFAULT_STORAGE, kasp);
  }
}
