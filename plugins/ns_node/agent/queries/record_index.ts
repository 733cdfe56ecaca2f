import type { ZoneFile, ZoneHead } from "../store/zone_file.ts";

const DEFAULT_ROUTE = "default";

/** The records of a zone by name and type, for all clients. */
class RecordIndex {
  readonly #ids = new Map<string, Map<string, string[]>>();
  /** Names that have records, or are above such a name. */
  readonly #existing = new Set<string>();

  constructor(file: ZoneFile) {
    for (const { id, name, type, isUp, routeCodes } of file.rows.values()) {
      if (!isUp || routeCodes.length > 0 && !routeCodes.includes(DEFAULT_ROUTE)) continue;
      const owner = name.toLowerCase();
      const types = this.#ids.get(owner) ?? new Map<string, string[]>();
      types.set(type, [...types.get(type) ?? [], id]);
      this.#ids.set(owner, types);
      for (let above = owner; above !== "" && !this.#existing.has(above); above = parentOf(above)) {
        this.#existing.add(above);
      }
    }
  }

  /** Returns the ids of the records that respond to a question; none if the zone has no such records. */
  find(name: string, type: string): readonly string[] {
    const types = this.#ids.get(this.#ownerOf(name));
    if (types === undefined) return [];
    if (type === "ANY") return [...types.values()].flat();
    return types.get(type) ?? types.get("CNAME") ?? [];
  }

  /** Returns the name itself, or the wildcard that stands for it (RFC 4592). */
  #ownerOf(name: string): string {
    if (name === "@" || this.#existing.has(name)) return name;
    for (let above = parentOf(name);; above = parentOf(above)) {
      const wildcard = above === "" ? "*" : `*.${above}`;
      if (above === "" || this.#existing.has(above) || this.#ids.has(wildcard)) return wildcard;
    }
  }
}

/** Finds the domains and records that queries are about. */
export class Records {
  readonly #zones: () => Iterable<ZoneFile>;
  #byName = new Map<string, ZoneFile>();
  readonly #indices = new WeakMap<ZoneFile, { readonly head: ZoneHead; readonly index: RecordIndex }>();

  /** @param zones the zones that the node has */
  constructor(zones: () => Iterable<ZoneFile>) {
    this.#zones = zones;
  }

  /** Takes over zones that appeared and disappeared. */
  refresh(): void {
    this.#byName = new Map([...this.#zones()].map((file) => [file.head.name.toLowerCase(), file]));
  }

  /** Returns the zone of a name, undefined if it is in none that is known. */
  zoneOf(name: string): ZoneFile | undefined {
    for (let zone = name; zone !== ""; zone = parentOf(zone)) {
      const file = this.#byName.get(zone);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** Returns the ids of the records of a zone that respond to a question. */
  recordsOf(file: ZoneFile, name: string, type: string): readonly string[] {
    let known = this.#indices.get(file);
    // each change of a zone has another head
    if (known?.head !== file.head) this.#indices.set(file, known = { head: file.head, index: new RecordIndex(file) });
    const zone = file.head.name;
    return known.index.find(name.length === zone.length ? "@" : name.slice(0, -zone.length - 1), type);
  }
}

function parentOf(name: string): string {
  const dot = name.indexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1);
}
