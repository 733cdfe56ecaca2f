import { systemTimers, type Timers } from "../../../base/clock.ts";
import { StartupError } from "../../../base/startup_error.ts";
import { readBackupName } from "../format/names.ts";
import { type Chunks, inPieces } from "../format/pieces.ts";
import { type S3Bucket, S3Client, xmlValue, xmlValues } from "./s3_client.ts";
import { type BackupStore, MAX_FILES, type StoredFile } from "./store.ts";

const MIB = 1024 * 1024;
/** The size of the parts of an upload, each of which is held in memory. S3 allows 10,000 parts of at least 5 MiB. */
const MIN_PART_BYTES = 8 * MIB;
const MAX_PART_BYTES = 64 * MIB;
const MAX_PARTS = 10_000;
/** The time for which a download may stand still. */
const STALL_MILLISECONDS = 60_000;

/** A folder of a bucket. */
export interface S3Place extends S3Bucket {
  /** Empty, or a path without a slash at its ends. */
  readonly prefix: string;
}

/** A bucket of an S3-compatible store with backups. A name appears in it when its content is complete. */
export class S3Store implements BackupStore {
  readonly place: string;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #timers: Timers;
  readonly #minPartBytes: number;

  /** @param minPartBytes tests make it smaller */
  constructor({ prefix, ...bucket }: S3Place, timers: Timers = systemTimers, minPartBytes = MIN_PART_BYTES) {
    this.#client = new S3Client(bucket, timers);
    this.#timers = timers;
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.place = `s3://${bucket.bucket}/${this.#prefix}`;
    this.#minPartBytes = minPartBytes;
  }

  async put(name: string, bytes: number, chunks: Chunks, signal: AbortSignal): Promise<void> {
    const key = this.#prefix + name;
    const partBytes = Math.max(this.#minPartBytes, Math.ceil(bytes / MAX_PARTS / MIB) * MIB);
    if (partBytes > MAX_PART_BYTES) {
      throw new StartupError(`a backup of ${bytes} bytes is too large for a store: it has at most 625 GiB`);
    }
    if (bytes > partBytes) return await this.#putParts(key, partBytes, chunks, signal);
    for await (const { piece } of inPieces(chunks, partBytes)) {
      await drain(await this.#client.send({ method: "PUT", key, body: piece }, signal));
    }
  }

  async #putParts(key: string, partBytes: number, chunks: Chunks, signal: AbortSignal): Promise<void> {
    const begun = await this.#client.text({ method: "POST", key, query: { uploads: "" } }, signal);
    const uploadId = xmlValue(begun, "UploadId");
    if (uploadId === undefined) throw new StartupError(`the store began no upload of "${key}"`);
    try {
      const tags: string[] = [];
      for await (const { piece, number } of inPieces(chunks, partBytes)) {
        const query = { partNumber: String(number + 1), uploadId };
        const response = await this.#client.send({ method: "PUT", key, query, body: piece }, signal);
        await drain(response);
        tags.push(response.headers.get("etag") ?? "");
      }
      const parts = tags.map((tag, at) =>
        `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`
      );
      const list = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${
        parts.join("")
      }</CompleteMultipartUpload>`;
      const body = new TextEncoder().encode(list);
      const done = await this.#client.text({ method: "POST", key, query: { uploadId }, body }, signal);
      // S3 may begin its response before it knows the outcome, so an error can have status 200.
      const code = xmlValue(done, "Code");
      if (code !== undefined) throw new StartupError(`the store did not complete the upload of "${key}": ${code}`);
    } catch (error) {
      await this.#abandon(key, uploadId);
      throw error;
    }
  }

  /** Removes the parts of an upload that failed. If that fails, too, a rule of the bucket has to do it. */
  async #abandon(key: string, uploadId: string): Promise<void> {
    const signal = AbortSignal.timeout(STALL_MILLISECONDS);
    await this.#client.send({ method: "DELETE", key, query: { uploadId }, also: [404] }, signal)
      .then(drain).catch(() => undefined);
  }

  async get(name: string, signal: AbortSignal): Promise<{ bytes: number; chunks: Chunks }> {
    const key = this.#prefix + name;
    const response = await this.#client.send({ method: "GET", key, also: [404] }, signal);
    if (response.status === 404 || response.body === null) {
      await drain(response);
      throw new StartupError(`the backup "${this.place}${name}" does not exist`);
    }
    const bytes = Number(response.headers.get("content-length") ?? 0);
    return { bytes, chunks: this.#unlessStalled(response.body) };
  }

  async *#unlessStalled(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader();
    try {
      for (;;) {
        const stalled = Promise.withResolvers<never>();
        const cancelTimer = this.#timers.after(
          STALL_MILLISECONDS,
          () => stalled.reject(new StartupError(`the store sent nothing for ${STALL_MILLISECONDS / 1000} seconds`)),
        );
        const { value, done } = await Promise.race([reader.read(), stalled.promise]).finally(cancelTimer);
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  async list(signal: AbortSignal): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    let next: string | undefined;
    do {
      const query = {
        "list-type": "2",
        prefix: `${this.#prefix}edgehelm-`,
        ...next !== undefined && { "continuation-token": next },
      };
      const xml = await this.#client.text({ method: "GET", query }, signal);
      for (const content of xmlValues(xml, "Contents")) {
        const name = xmlValue(content, "Key")?.slice(this.#prefix.length) ?? "";
        if (readBackupName(name) !== undefined) found.push({ name, bytes: Number(xmlValue(content, "Size")) });
      }
      if (found.length > MAX_FILES) throw new StartupError(`"${this.place}" has more than ${MAX_FILES} backups`);
      next = xmlValue(xml, "IsTruncated") === "true" ? xmlValue(xml, "NextContinuationToken") : undefined;
    } while (next !== undefined);
    return found;
  }

  async remove(name: string, signal: AbortSignal): Promise<void> {
    const key = this.#prefix + name;
    await drain(await this.#client.send({ method: "DELETE", key, also: [404] }, signal));
  }
}

/** Ends a response whose body says nothing, so that its connection can be used again. */
async function drain(response: Response): Promise<void> {
  await response.body?.cancel();
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
