import { type Call, jsonBytes, jsonField, mayAccessOwner } from "edgehelm";
import type { Sealer } from "edgehelm/auth";
import { OriginStorageSchema } from "edgehelm/proto/shapes/origin_pb.js";
import type { OriginRow } from "./store.ts";

/** Encrypts object storage settings with the installation key, because they contain access keys. */
export class Storages {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** Returns the sealed ossJSON of an origin; empty for empty bytes. */
  async seal(originId: bigint, json: Uint8Array): Promise<string> {
    return json.length === 0 ? "" : await this.#sealer.seal(new TextDecoder().decode(json), place(originId));
  }

  /** Returns the ossJSON of an origin; empty if it has none. */
  async open({ id, sealedOSS }: Pick<OriginRow, "id" | "sealedOSS">): Promise<Uint8Array> {
    if (sealedOSS === "") return new Uint8Array();
    return new TextEncoder().encode(await this.#sealer.open(sealedOSS, place(id)));
  }

  /** Like `open`; users to whom the origin does not belong get the type of storage only. */
  async openFor(call: Call, row: Pick<OriginRow, "id" | "userId" | "sealedOSS">): Promise<Uint8Array> {
    const json = await this.open(row);
    if (mayAccessOwner(call.caller, row.userId)) return json;
    const storage = jsonField("ossJSON", json, OriginStorageSchema);
    return storage === undefined ? json : jsonBytes(OriginStorageSchema, { type: storage.type });
  }
}

/** Binds the sealed value to its row: it cannot be opened in the row of another origin. */
function place(originId: bigint) {
  return { table: "origins", column: "sealedOSS", row: `${originId}` };
}
