import type { MetadataField } from "../../base/metadata.ts";
import { encodeHeaderBlock } from "../../net/hpack/encoder.ts";
import type { MessageFormat } from "../rpc/message_format.ts";

type FormatName = MessageFormat["name"];
type Fields = readonly MetadataField[];

/** Writes the header blocks of responses. Those before messages come from templates. */
export class ResponseHeads {
  readonly #accepted: MetadataField;
  readonly #templates = new Map<string, Uint8Array>();
  readonly #plain: Uint8Array;

  /** @param codings the names of the supported codings */
  constructor(codings: readonly string[]) {
    this.#accepted = ["grpc-accept-encoding", [...codings, "identity"].join(", ")];
    this.#plain = this.#template("proto", undefined);
  }

  /**
   * Returns the header block before the messages of a response.
   *
   * @param requestId up to 64 ASCII characters
   * @param coding the coding of those messages that are compressed
   */
  headers(requestId: string, format: FormatName, coding: string | undefined): Uint8Array {
    const template = format === "proto" && coding === undefined ? this.#plain : this.#template(format, coding);
    const block = new Uint8Array(template.length + requestId.length);
    block.set(template);
    // The last byte of the template is the length of the empty value.
    block[template.length - 1] = requestId.length;
    for (let at = 0; at < requestId.length; at++) block[template.length + at] = requestId.charCodeAt(at);
    return block;
  }

  /** Returns the only header block of a response without messages. */
  trailersOnly(trailers: Fields, format: FormatName, requestId?: string): Uint8Array {
    const id: Fields = requestId === undefined ? [] : [["x-request-id", requestId]];
    return encodeHeaderBlock([...this.#head(format), ...id, ...trailers]);
  }

  #template(format: FormatName, coding: string | undefined): Uint8Array {
    const key = `${format} ${coding}`;
    const found = this.#templates.get(key);
    if (found !== undefined) return found;
    const encoding: Fields = coding === undefined ? [] : [["grpc-encoding", coding]];
    const template = encodeHeaderBlock([...this.#head(format), ...encoding, ["x-request-id", ""]]);
    this.#templates.set(key, template);
    return template;
  }

  #head(format: FormatName): Fields {
    const type = format === "proto" ? "application/grpc" : "application/grpc+json";
    return [[":status", "200"], ["content-type", type], this.#accepted];
  }
}
