import type { Sealer } from "edgehelm";
import type { OriginRow } from "./store.ts";

/** Object storage as it rests in the table: sealed under the installation key, since it holds keys of its own. */
export class Storages {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** What to store for the ossJSON of an origin; empty for none. */
  async seal(originId: bigint, json: Uint8Array): Promise<string> {
    return json.length === 0 ? "" : await this.#sealer.seal(new TextDecoder().decode(json), place(originId));
  }

  /** The ossJSON of an origin; empty for none. */
  async open({ id, sealedOSS }: Pick<OriginRow, "id" | "sealedOSS">): Promise<Uint8Array> {
    if (sealedOSS === "") return new Uint8Array();
    return new TextEncoder().encode(await this.#sealer.open(sealedOSS, place(id)));
  }
}

/** What is moved to another origin's row does not open there. */
function place(originId: bigint) {
  return { table: "origins", column: "sealedOSS", row: `${originId}` };
}
