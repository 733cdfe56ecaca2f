import { kernelErrors } from "../errors.ts";
import type { HeaderReader } from "./incoming.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** A size for people: `32 MiB`. */
function sizeText(bytes: number): string {
  return bytes % 1048576 === 0 ? `${bytes / 1048576} MiB` : `${bytes} bytes`;
}

/**
 * The body of a request, of which no more than `limit` bytes are ever held.
 *
 * @throws RpcError too_large
 */
export async function readBody(
  request: Request,
  header: HeaderReader,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = header("content-length");
  if (declared !== undefined) {
    if (Number(declared) > limit) throw kernelErrors.too_large("the body", sizeText(limit));
    return declared === "0" ? new Uint8Array() : new Uint8Array(await request.arrayBuffer());
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.length;
    if (length > limit) throw kernelErrors.too_large("the body", sizeText(limit));
    chunks.push(chunk);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** @throws RpcError invalid when it is not UTF-8 */
export function bodyText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw kernelErrors.malformed("the body is not UTF-8 text");
  }
}
