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
}

/** Returns the form of a Connect request of JSON messages; undefined for other requests, which pass unchecked. */
export function connectJsonForm(headers: Headers): "message" | "stream" | undefined {
  const type = (headers.get("content-type") ?? "").toLowerCase().split(";", 1)[0]!.trimEnd();
  // Connect refuses compressed messages
  const isCompressed = (headers.get("content-encoding") ?? "identity") !== "identity";
  if (type === "application/json") return isCompressed ? undefined : "message";
  return type === "application/connect+json" ? "stream" : undefined;
}

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
      const isCompressed = (held[0]! & COMPRESSED) !== 0;
      if (!isCompressed) check(held.subarray(PREFIX_BYTES, end), options);
      yield held.subarray(0, end);
      [parts, size, end] = [[held.subarray(end)], size - end, PREFIX_BYTES];
    }
    isChecked &&= size <= options.maxBytes + PREFIX_BYTES;
    if (!isChecked) yield* parts.splice(0);
  }
  const rest = joined(parts, isChecked ? size : 0);
  if (isChecked && !isStream && size > 0) check(rest, options);
  if (rest.length > 0) yield rest;
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
