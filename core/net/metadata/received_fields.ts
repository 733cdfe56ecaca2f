import type { MetadataField, RequestMetadata } from "../../base/metadata.ts";
import { decodeBase64 } from "../../protobuf/json/base64.ts";
import { isHidden } from "./kept_fields.ts";

/** The fields of a request that plugins may see. */
export class ReceivedFields implements RequestMetadata {
  readonly isGet: boolean;
  readonly #values = new Map<string, string[]>();

  constructor(fields: Iterable<MetadataField>, isGet: boolean) {
    this.isGet = isGet;
    for (const [name, value] of fields) {
      if (isHidden(name)) continue;
      const values = this.#values.get(name);
      if (values === undefined) this.#values.set(name, [value]);
      else values.push(value);
    }
  }

  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase())?.join(", ");
  }

  values(name: string): readonly string[] {
    return this.#values.get(name.toLowerCase()) ?? [];
  }

  bytes(name: string): readonly Uint8Array<ArrayBuffer>[] {
    if (!name.toLowerCase().endsWith("-bin")) throw new TypeError(`the field ${name} is not binary`);
    // Values that were joined on the way are separate again.
    return this.values(name).flatMap((value) => value.split(",")).flatMap((value) => binary(value.trim()));
  }
}

function binary(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = decodeBase64(text);
  return bytes === undefined ? [] : [bytes as Uint8Array<ArrayBuffer>];
}
