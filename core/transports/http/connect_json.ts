import type { DescMessage } from "@bufbuild/protobuf";
import { concatBytes } from "../../base/bytes.ts";
import { kernelErrors } from "../../base/errors.ts";
import { checkUniqueFields } from "../../protobuf/json/unique_fields.ts";

/** The flags and the length before each message of a stream. */
const PREFIX_BYTES = 5;
/** The flag of a compressed message. */
const COMPRESSED = 1;
const decoder = new TextDecoder("utf-8", { fatal: true });

export interface ConnectJsonOptions {
  readonly input: DescMessage;
  /** The limit for one message. Larger ones pass unchecked, because Connect refuses them. */
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Decompresses a message; undefined if the request has no coding, or an unknown one. */
  readonly decompress: ((bytes: Uint8Array) => Promise<Uint8Array>) | undefined;
}

/** The form in which a request carries its JSON messages. */
export interface JsonForm {
  readonly kind: "message" | "stream";
  readonly coding: string | undefined;
}

/** Returns the form of a request with JSON messages; undefined for other requests, which pass unchecked. */
export function connectJsonForm(headers: Headers): JsonForm | undefined {
  const type = (headers.get("content-type") ?? "").toLowerCase().split(";", 1)[0]!.trimEnd();
  const form = FORMS.get(type);
  if (form === undefined) return undefined;
  const coding = headers.get(form.header) ?? "identity";
  return { kind: form.kind, coding: coding === "identity" ? undefined : coding };
}

const FORMS: ReadonlyMap<string, { readonly kind: JsonForm["kind"]; readonly header: string }> = new Map([
  ["application/json", { kind: "message", header: "content-encoding" }],
  ["application/connect+json", { kind: "stream", header: "connect-content-encoding" }],
  ["application/grpc-web+json", { kind: "stream", header: "grpc-encoding" }],
  ["application/grpc-web-text+json", { kind: "stream", header: "grpc-encoding" }],
]);

/** Passes the body of a Connect request on, after checking that no object of its JSON has a key twice. */
export async function* withUniqueKeys(
  body: AsyncIterable<Uint8Array>,
  form: "message" | "stream",
  options: ConnectJsonOptions,
): AsyncGenerator<Uint8Array> {
  const isStream = form === "stream";
  let parts: Uint8Array[] = [];
  let size = 0;
  /** The bytes up to the end of the current message, as far as that is known. */
  let end = isStream ? PREFIX_BYTES : Infinity;
  let isChecked = true;
  for await (const chunk of body) {
    parts.push(chunk);
    size += chunk.length;
    while (isChecked && isStream && size >= end) {
      const held = joined(parts, size);
      parts = [held];
      if (end === PREFIX_BYTES) {
        end += new DataView(held.buffer, held.byteOffset).getUint32(1);
        isChecked = end - PREFIX_BYTES <= options.maxBytes;
        if (end > PREFIX_BYTES) continue;
      }
      yield await checkedEnvelope(held.subarray(0, end), options);
      [parts, size, end] = [[held.subarray(end)], size - end, PREFIX_BYTES];
    }
    isChecked &&= size <= options.maxBytes + PREFIX_BYTES;
    if (!isChecked) yield* parts.splice(0);
  }
  const rest = joined(parts, isChecked ? size : 0);
  if (!isChecked || isStream || size === 0) {
    if (rest.length > 0) yield rest;
    return;
  }
  const plain = await options.decompress?.(rest) ?? rest;
  if (plain.length > 0) check(plain, options);
  yield plain;
}

/** Returns an envelope of a stream with its message decompressed. One that cannot be is left to Connect to refuse. */
async function checkedEnvelope(envelope: Uint8Array, options: ConnectJsonOptions): Promise<Uint8Array> {
  const isCompressed = (envelope[0]! & COMPRESSED) !== 0;
  if (isCompressed && options.decompress === undefined) return envelope;
  const message = envelope.subarray(PREFIX_BYTES);
  const plain = isCompressed ? await options.decompress!(message) : message;
  check(plain, options);
  if (!isCompressed) return envelope;
  const length = plain.length;
  const prefix = Uint8Array.of(envelope[0]! & ~COMPRESSED, length >>> 24, length >>> 16, length >>> 8, length);
  return concatBytes([prefix, plain], PREFIX_BYTES + length);
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  return parts.length === 1 ? parts[0]! : concatBytes(parts, size);
}

function check(bytes: Uint8Array, { input, maxDepth }: ConnectJsonOptions): void {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw kernelErrors.malformed("not valid UTF-8");
  }
  checkUniqueFields(input, text, { maxDepth });
}
