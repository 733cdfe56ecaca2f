import { joined } from "../../base/bytes.ts";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import type { Decompress } from "./compression.ts";
import type { HeaderReader, IncomingCall } from "../../net/http_message.ts";

/** Bodies of this size are read in one go: they are too small to be counted. */
const SMALL_BYTES = 65_536;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Counts the bytes of all bodies that are held at the same time. */
export class BodyBudget {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  /** @throws RpcError unavailable when the installation holds as much as it may */
  take(bytes: number): void {
    if (this.#held + bytes > this.#limit) {
      throw kernelErrors.unavailable("too many large requests are under way").retryAfter(1);
    }
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

export interface BodyOptions {
  /** The most bytes that the body may have, also when it is decompressed. */
  readonly limit: number;
  readonly budget: BodyBudget;
  readonly decompress: Decompress;
}

/** A size for people: `32 MiB`. */
function sizeText(bytes: number): string {
  if (bytes % 1048576 === 0) return `${bytes / 1048576} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

/**
 * Reads the body of a request, of which no more than `limit` bytes are ever held, and hands it to `use`: at once when it
 * is small and there.
 *
 * @throws RpcError too_large, unsupported for an encoding that is not known, cancelled when it never came whole
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
  if (encoding !== undefined || !(Number(declared) <= SMALL_BYTES)) return withLargeBody(body, encoding, options, use);
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
    budget.take(bytes);
    held += bytes;
  };
  try {
    const bytes = await readChunks(body.chunks(), limit, hold, () => kernelErrors.cancelled());
    if (encoding === undefined) return await use(bytes);
    const faulty = () => kernelErrors.malformed(`the body is not ${encoding}, as its content-encoding says`);
    return await use(await readChunks(decompress.decompress(encoding, bytes), limit, hold, faulty));
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
  broken: () => RpcError,
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
    throw error instanceof RpcError ? error : broken();
  }
  return parts.length === 1 ? parts[0]! : joined(parts, length);
}

function tooLarge(limit: number): RpcError {
  return kernelErrors.too_large("the body", sizeText(limit));
}

/** @throws RpcError invalid when it is not UTF-8 */
export function bodyText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw kernelErrors.malformed("the body is not UTF-8 text");
  }
}
