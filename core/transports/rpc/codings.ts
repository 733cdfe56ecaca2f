import { RpcError } from "../../base/errors.ts";

/** Compression of single messages, in the codings that a runtime supports. */
export interface MessageCodings {
  /** The names of the codings, such as `gzip`. */
  readonly names: readonly string[];
  compress(coding: string, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** @throws RangeError if the output is larger than `limit` bytes, Error if the input is not in this coding */
  decompress(coding: string, bytes: Uint8Array, limit: number): Uint8Array | Promise<Uint8Array>;
}

/** The size from which messages are compressed for a caller that accepts it. */
const MIN_BYTES = 8192;
/** The same for a caller that compresses its own messages. */
const MIN_BYTES_RETURNED = 1024;

/** Returns the size from which the response to a request in a coding is compressed. */
export function minCompressedBytes(requestCoding: string | undefined): number {
  return requestCoding === undefined ? MIN_BYTES : MIN_BYTES_RETURNED;
}

/** Returns the first coding that the caller accepts and this runtime has; undefined to send without one. */
export function acceptedCoding(accepted: string | undefined, { names }: MessageCodings): string | undefined {
  if (accepted === undefined) return undefined;
  return accepted.split(",").map((name) => name.trim().toLowerCase()).find((name) => names.includes(name));
}

/** @throws RpcError too_large or invalid */
export async function decompressed(
  codings: MessageCodings,
  coding: string,
  bytes: Uint8Array,
  limit: number,
): Promise<Uint8Array> {
  // an empty message is not compressed
  if (bytes.length === 0) return bytes;
  try {
    return await codings.decompress(coding, bytes, limit);
  } catch (error) {
    if (error instanceof RangeError) throw messageTooLarge(limit + 1, limit);
    throw new RpcError("kernel.malformed", "invalid", `the message is not valid ${coding}`);
  }
}

export function messageTooLarge(length: number, limit: number): RpcError {
  const text = `the message is larger than the limit of ${limit} bytes: it has ${length}`;
  return new RpcError("kernel.too_large", "too_large", text);
}
