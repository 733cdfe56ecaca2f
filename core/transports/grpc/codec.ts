import { create, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import { messagePrefix, messageTooLarge } from "./message_reader.ts";

/** Gzip as the runtime provides it. Small messages are processed synchronously, large ones outside the event loop. */
export interface Gzip {
  compress(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** @throws RangeError if the output is larger than `limit` bytes, Error if the input is not gzip */
  decompress(bytes: Uint8Array, limit: number): Uint8Array | Promise<Uint8Array>;
}

/** A received message, which may be compressed. */
export interface Envelope {
  readonly isCompressed: boolean;
  readonly bytes: Uint8Array;
}

/** @throws RpcError invalid if the bytes are not a message of this type */
export function decodeMessage(type: DescMessage, bytes: Uint8Array): Message {
  try {
    return fromBinary(type, bytes);
  } catch (error) {
    throw kernelErrors.malformed(`the message is not a ${type.typeName}: ${(error as Error).message}`);
  }
}

/** @throws RpcError too_large or invalid */
export async function decompressed(gzip: Gzip, bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  try {
    return await gzip.decompress(bytes, limit);
  } catch (error) {
    if (error instanceof RangeError) throw messageTooLarge(limit + 1, limit);
    throw new RpcError("kernel.malformed", "invalid", "the message is not valid gzip");
  }
}

export function encodeMessage(type: DescMessage, response: unknown): Uint8Array {
  return toBinary(type, create(type, response as never));
}

/** The size below which compression is not worthwhile. */
const MIN_COMPRESSED_BYTES = 1024;

/** Returns a message with its prefix as the parts of a body, compressed if `gzip` is given and worthwhile. */
export function framed(
  bytes: Uint8Array,
  gzip: Gzip | undefined,
): readonly Uint8Array[] | Promise<readonly Uint8Array[]> {
  if (gzip === undefined || bytes.length < MIN_COMPRESSED_BYTES) return [messagePrefix(false, bytes.length), bytes];
  return compressedFrame(bytes, gzip);
}

async function compressedFrame(bytes: Uint8Array, gzip: Gzip): Promise<readonly Uint8Array[]> {
  const compressed = await gzip.compress(bytes);
  return [messagePrefix(true, compressed.length), compressed];
}
