import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "../routes/route.ts";
import { replaceFile } from "./atomic_file.ts";
import { ZoneFile } from "./zone_file.ts";

/** A TSIG key of a domain. */
export interface Key {
  readonly id: string;
  readonly nsDomainId: string;
  readonly name: string;
  /** Such as hmac-sha256. */
  readonly algorithm: string;
  /** In base64. */
  readonly secret: string;
}

/** A key with which a domain is signed. Times are in unix seconds; 0 if not known yet. */
export interface SigningKey {
  /** KSK or ZSK. */
  readonly role: string;
  readonly algorithm: number;
  /** In the PEM form of PKCS #8. */
  readonly privateKey: string;
  readonly publishAt: number;
  readonly activeAt: number;
  readonly retireAt: number;
  readonly removeAt: number;
}

/** All keys with which a domain is signed. */
export interface KeySet {
  readonly keys: readonly SigningKey[];
}

/** The positions of a node in the feeds of its installation. */
export interface Positions {
  /** The node that the state belongs to. */
  readonly nodeId: string;
  readonly history: string;
  readonly domains: string;
  readonly zones: string;
  readonly keys: string;
  readonly dnssec: string;
  readonly routes: string;
  /** The version of the node's configuration. */
  readonly config: string;
}

const NOWHERE = {
  history: "",
  domains: "0",
  zones: "0",
  keys: "0",
  dnssec: "0",
  routes: "0",
  config: "",
};

/** The state of an agent on disk: its positions in the feeds, the keys, and a file for each zone. */
export class NodeState {
  readonly zones = new Map<string, ZoneFile>();
  readonly keys = new Map<string, Key>();
  readonly routes = new Map<string, Route>();
  keySets: ReadonlyMap<string, KeySet> = new Map();
  positions: Positions;
  readonly #directory: string;

  constructor(directory: string, nodeId: string) {
    this.#directory = directory;
    mkdirSync(this.#zoneDirectory, { recursive: true, mode: 0o700 });
    const positions = this.#read<Positions>("positions.json");
    if (positions?.nodeId !== nodeId) {
      // what another node had may be of another installation
      rmSync(this.#zoneDirectory, { recursive: true, force: true });
      mkdirSync(this.#zoneDirectory, { mode: 0o700 });
      for (const name of ["dnssec.json", "routes.json"]) rmSync(join(directory, name), { force: true });
      this.positions = { nodeId, ...NOWHERE };
      return;
    }
    this.positions = { ...NOWHERE, ...positions };
    // the records in states of earlier versions have no weights
    if (positions.routes === undefined) this.startOver();
    for (const key of this.#read<Key[]>("keys.json") ?? []) {
      this.keys.set(key.id, key);
    }
    for (const route of this.#read<Route[]>("routes.json") ?? []) this.routes.set(route.id, route);
    this.keySets = new Map(this.#read<[string, KeySet][]>("dnssec.json") ?? []);
    for (const name of readdirSync(this.#zoneDirectory)) {
      const id = /^(\d+)\.log$/.exec(name)?.[1];
      if (id !== undefined) {
        this.zones.set(id, ZoneFile.open(this.#zonePath(id), id));
      }
    }
  }

  /** Returns the zone of a domain, a new one if there is none yet. */
  zone(id: string): ZoneFile {
    let zone = this.zones.get(id);
    if (zone === undefined) {
      this.zones.set(id, zone = ZoneFile.open(this.#zonePath(id), id));
    }
    return zone;
  }

  removeZone(id: string): void {
    this.zones.delete(id);
    rmSync(this.#zonePath(id), { force: true });
  }

  saveKeys(): void {
    replaceFile(join(this.#directory, "keys.json"), JSON.stringify([...this.keys.values()]));
  }

  saveRoutes(): void {
    replaceFile(join(this.#directory, "routes.json"), JSON.stringify([...this.routes.values()]));
  }

  /** Stores the keys with which domains are signed, in place of those before. */
  saveKeySets(sets: ReadonlyMap<string, KeySet>): void {
    this.keySets = sets;
    replaceFile(join(this.#directory, "dnssec.json"), JSON.stringify([...sets]));
  }

  /** To be called when zones and keys are on disk: after a crash, what was not is fetched again. */
  savePositions(changes: Partial<Positions>): void {
    this.positions = { ...this.positions, ...changes };
    replaceFile(join(this.#directory, "positions.json"), JSON.stringify(this.positions));
  }

  /** Forgets the positions, so that everything is fetched again. The zones stay until it has come. */
  startOver(): void {
    this.positions = { nodeId: this.positions.nodeId, ...NOWHERE };
  }

  get #zoneDirectory(): string {
    return join(this.#directory, "zones");
  }

  #zonePath(id: string): string {
    return join(this.#zoneDirectory, `${id}.log`);
  }

  #read<Content>(name: string): Content | undefined {
    const path = join(this.#directory, name);
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Content) : undefined;
  }
}
