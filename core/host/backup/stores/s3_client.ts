import type { Timers } from "../../../base/clock.ts";
import { StartupError } from "../../../base/startup_error.ts";
import { errorMessage } from "../../settings/files.ts";
import { canonicalQuery, type S3Credentials, signedHeaders } from "./s3_signature.ts";

/** A bucket of an S3-compatible store. */
export interface S3Bucket extends S3Credentials {
  /** The address of the store, without a path. */
  readonly endpoint: string;
  readonly bucket: string;
}

/** One request about the bucket, or about a key in it. */
export interface S3Call {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** Absent for the bucket itself. It holds letters, digits, dots, hyphens, underscores and slashes. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Statuses to return although they are errors. */
  readonly also?: readonly number[];
}

/** The delays before the second attempt and those after it. */
const RETRY_MILLISECONDS = [500, 2000, 8000];
/** The time limit for the headers of a response, the upload of a part included. */
const RESPONSE_MILLISECONDS = 120_000;
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const NO_BODY = new Uint8Array(0);

/** Sends signed requests to an S3-compatible store, and repeats those that failed on the way or inside the store. */
export class S3Client {
  readonly #bucket: S3Bucket;
  readonly #timers: Timers;

  constructor(bucket: S3Bucket, timers: Timers) {
    this.#bucket = bucket;
    this.#timers = timers;
  }

  /** @throws StartupError with the store's own code, such as AccessDenied */
  async send(call: S3Call, signal: AbortSignal): Promise<Response> {
    for (let attempt = 0;; attempt++) {
      const outcome = await this.#attempt(call, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return error;
      });
      const delay = RETRY_MILLISECONDS[attempt];
      if (outcome instanceof Response) {
        if (outcome.ok || call.also?.includes(outcome.status) === true) return outcome;
        const error = await this.#errorOf(outcome);
        if (delay === undefined || (outcome.status < 500 && outcome.status !== 429)) throw error;
      } else if (delay === undefined) {
        const cause = outcome;
        throw new StartupError(`cannot reach the store ${this.#bucket.endpoint}: ${errorMessage(cause)}`, { cause });
      }
      await this.#wait(delay, signal);
    }
  }

  /** Sends a request and returns the text of its response, which is XML. */
  async text(call: S3Call, signal: AbortSignal): Promise<string> {
    return await boundedText(await this.send(call, signal));
  }

  async #attempt({ method, key, query = {}, body }: S3Call, signal: AbortSignal): Promise<Response> {
    const { endpoint, bucket, ...credentials } = this.#bucket;
    const url = new URL(`/${bucket}${key === undefined ? "" : `/${key}`}`, endpoint);
    const search = canonicalQuery(new URLSearchParams(query));
    url.search = search;
    const headers = await signedHeaders({ method, url, body: body ?? NO_BODY }, credentials, new Date());
    const aborted = new AbortController();
    const stop = () => aborted.abort(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener("abort", stop, { once: true });
    const cancelTimer = this.#timers.after(
      RESPONSE_MILLISECONDS,
      () => aborted.abort(new Error(`no response within ${RESPONSE_MILLISECONDS / 1000} seconds`)),
    );
    try {
      // the signature names the host, so a request that is redirected would be refused there
      const response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal: aborted.signal,
        ...body && { body },
      });
      return response;
    } catch (error) {
      signal.removeEventListener("abort", stop);
      throw error;
    } finally {
      cancelTimer();
    }
  }

  async #errorOf(response: Response): Promise<StartupError> {
    const { endpoint, bucket, region } = this.#bucket;
    const text = await boundedText(response).catch(() => "");
    const code = xmlValue(text, "Code") ?? `status ${response.status}`;
    const message = xmlValue(text, "Message");
    const hint = response.status >= 300 && response.status < 400 ? `; is "${region}" the region of the bucket?` : "";
    return new StartupError(
      `the store ${endpoint} refused the request for bucket "${bucket}": ${code}${
        message === undefined ? "" : ` (${message})`
      }${hint}`,
    );
  }

  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancelTimer = this.#timers.after(milliseconds, resolve);
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await promise;
    } finally {
      cancelTimer();
      signal.removeEventListener("abort", stop);
    }
  }
}

/** Returns the text of the first element with a name, and undefined if there is none. */
export function xmlValue(xml: string, element: string): string | undefined {
  return xmlValues(xml, element)[0];
}

/** Returns the texts of all elements with a name, which have no attributes and no elements inside. */
export function xmlValues(xml: string, element: string): string[] {
  const [open, close] = [`<${element}>`, `</${element}>`];
  return xml.split(open).slice(1).flatMap((rest) => {
    const end = rest.indexOf(close);
    return end < 0 ? [] : [unescaped(rest.slice(0, end))];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_entity, name: string) => ENTITIES[name]!);
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT_BYTES) throw new StartupError(`a response of the store has more than ${MAX_TEXT_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
