import { decompressed, type MessageCodings, minCompressedBytes } from "../rpc/codings.ts";
import { messagePrefix } from "./message_reader.ts";
import type { RequestHead } from "./request_head.ts";

/** A received message, which may be compressed. */
export interface Envelope {
  readonly isCompressed: boolean;
  readonly bytes: Uint8Array;
}

/** The codings of a call: that of its request, and the one that its caller accepts. */
export type CallCodings = Pick<RequestHead, "coding" | "accepted">;

/** @throws RpcError too_large or invalid */
export function plainBytes(
  { isCompressed, bytes }: Envelope,
  codings: MessageCodings,
  { coding }: CallCodings,
  limit: number,
): Uint8Array | Promise<Uint8Array> {
  return isCompressed ? decompressed(codings, coding!, bytes, limit) : bytes;
}

/** Returns a message with its prefix as the parts of a body, compressed if the caller accepts it and it is worthwhile. */
export function framed(
  bytes: Uint8Array,
  codings: MessageCodings,
  { coding, accepted }: CallCodings,
): readonly Uint8Array[] | Promise<readonly Uint8Array[]> {
  if (accepted === undefined || bytes.length < minCompressedBytes(coding)) {
    return [messagePrefix(false, bytes.length), bytes];
  }
  return compressedFrame(bytes, codings, accepted);
}

async function compressedFrame(bytes: Uint8Array, codings: MessageCodings, coding: string) {
  const compressed = await codings.compress(coding, bytes);
  return [messagePrefix(true, compressed.length), compressed];
}
