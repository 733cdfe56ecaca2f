import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, open, stat } from "node:fs/promises";
import { StartupError } from "../../base/startup_error.ts";

// SQLite cannot detect a flipped bit in stored text, so a backup ends with a checksum of everything before it. The file
// is still a valid database: SQLite ignores bytes beyond the size in its header.
const TRAILER = /^\nedgehelm-backup-1 sha256:([0-9a-f]{64})\n$/;
const TRAILER_BYTES = "\nedgehelm-backup-1 sha256:".length + 65;

/** Appends the SHA-256 checksum of a file to the file. */
export async function appendChecksum(path: string): Promise<void> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  await appendFile(path, `\nedgehelm-backup-1 sha256:${hash.digest("hex")}\n`);
}

/** The content of a backup, without the checksum at its end. */
export interface CheckedContent {
  readonly bytes: number;
  /** Yields the content in chunks, and at the end throws a StartupError if the checksum does not match. */
  chunks(): AsyncGenerator<Uint8Array>;
}

/**
 * Opens a backup for a read that verifies its checksum.
 *
 * @throws StartupError if the file does not end with a checksum
 */
export async function checkedContent(path: string): Promise<CheckedContent> {
  const { size } = await stat(path);
  const bytes = size - TRAILER_BYTES;
  const [, expected] = TRAILER.exec(bytes < 0 ? "" : await readFrom(path, bytes)) ?? [];
  if (expected === undefined) {
    throw new StartupError(
      `"${path}" is not a complete backup: its checksum is missing. To restore a database that was copied by other ` +
        "means, stop the server, copy the file into place and remove the -wal and -shm files beside it",
    );
  }
  return { bytes, chunks: () => verifiedChunks(path, bytes, createHash("sha256"), expected) };
}

async function* verifiedChunks(path: string, bytes: number, hash: Hash, expected: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== expected) {
    throw new StartupError(`"${path}" is damaged: its content does not match its checksum`);
  }
}

async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(TRAILER_BYTES), 0, TRAILER_BYTES, position);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
