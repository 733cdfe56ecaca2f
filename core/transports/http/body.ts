import { concatBytes } from "../../base/bytes.ts";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import type { Decompress } from "./compression.ts";
import type { HeaderReader, IncomingCall } from "../../net/http_message.ts";

/** Bodies up to this size are read at once and do not count against the budget. */
const MAX_SMALL_BYTES = 65_536;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Limits the memory for all bodies that are held concurrently. */
export class BodyBudget {
  readonly #limit: number;
  #heldBytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get held(): number {
    return this.#heldBytes;
  }

  /** @throws RpcError unavailable if the limit would be exceeded */
  reserve(bytes: number): void {
    if (this.#heldBytes + bytes > this.#limit) {
      throw kernelErrors.unavailable("too many large requests are in progress").retryAfter(1);
    }
    this.#heldBytes += bytes;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }
}

export interface BodyOptions {
  /** The limit for the body in bytes, which applies before and after decompression. */
  readonly limit: number;
  readonly budget: BodyBudget;
  readonly decompress: Decompress;
}

/** Formats a size, such as `32 MiB`. */
function sizeText(bytes: number): string {
  if (bytes % 1048576 === 0) return `${bytes / 1048576} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

/**
 * Reads the body of a request and passes it to `use`, synchronously if it is small and has already arrived. It never
 * holds more than `limit` bytes.
 *
 * @throws RpcError too_large, unsupported for an unknown encoding, cancelled if the client disconnects, or unavailable
 */
export function withBody<Result>(
  { header, body }: IncomingCall,
  options: BodyOptions,
  use: (bytes: Uint8Array) => Result | Promise<Result>,
): Result | Promise<Result> {
  const encoding = contentEncoding(header, options.decompress);
  const declared = header("content-length");
  if (Number(declared) > options.limit) throw tooLarge(options.limit);
  if (declared === "0") return use(new Uint8Array());
  if (encoding !== undefined || !(Number(declared) <= MAX_SMALL_BYTES)) {
    return withLargeBody(body, encoding, options, use);
  }
  const bytes = body.whole();
  return bytes instanceof Promise ? bytes.catch(throwCancelled).then(use) : use(bytes);
}

async function withLargeBody<Result>(
  body: IncomingCall["body"],
  encoding: string | undefined,
  { limit, budget, decompress }: BodyOptions,
  use: (bytes: Uint8Array) => Result | Promise<Result>,
): Promise<Result> {
  let held = 0;
  const hold = (bytes: number) => {
    budget.reserve(bytes);
    held += bytes;
  };
  try {
    const bytes = await readChunks(body.chunks(), limit, hold, () => kernelErrors.cancelled());
    if (encoding === undefined) return await use(bytes);
    const malformed = () => kernelErrors.malformed(`the body is not valid ${encoding}`);
    return await use(await readChunks(decompress.decompress(encoding, bytes), limit, hold, malformed));
  } finally {
    budget.release(held);
  }
}

function throwCancelled(): never {
  throw kernelErrors.cancelled();
}

function contentEncoding(header: HeaderReader, { encodings }: Decompress): string | undefined {
  const name = header("content-encoding")?.trim().toLowerCase().replace(/^x-(?=gzip$)/, "");
  if (name === undefined || name === "" || name === "identity") return undefined;
  if (encodings.includes(name)) return name;
  throw kernelErrors.unsupported(
    `content-encoding: must be one of ${encodings.join(", ")} or absent, got "${name.slice(0, 60)}"`,
  );
}

async function readChunks(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  hold: (bytes: number) => void,
  onBroken: () => RpcError,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > limit) throw tooLarge(limit);
      hold(chunk.length);
      parts.push(chunk);
    }
  } catch (error) {
    throw error instanceof RpcError ? error : onBroken();
  }
  return parts.length === 1 ? parts[0]! : concatBytes(parts, length);
}

function tooLarge(limit: number): RpcError {
  return kernelErrors.too_large("the body", sizeText(limit));
}

/** @throws RpcError invalid if the body is not UTF-8 */
export function bodyText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw kernelErrors.malformed("the body is not UTF-8 text");
  }
}
