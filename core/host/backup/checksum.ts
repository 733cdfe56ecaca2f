import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, open, stat } from "node:fs/promises";
import { StartupError } from "../../base/startup_error.ts";

// SQLite cannot tell that a bit of a text has changed. So a backup ends with the checksum of all before it; SQLite
// itself reads no further than its header says, so the file is a database all the same.
const FORM = /^\nedgehelm-backup-1 sha256:([0-9a-f]{64})\n$/;
const LENGTH = "\nedgehelm-backup-1 sha256:".length + 65;

/** Appends the checksum of a file to it. */
export async function appendChecksum(path: string): Promise<void> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  await appendFile(path, `\nedgehelm-backup-1 sha256:${hash.digest("hex")}\n`);
}

/** What comes before the checksum at the end of a backup. */
export interface CheckedContent {
  readonly bytes: number;
  /** The content, chunk by chunk; throws StartupError at its end unless it is what the checksum was made of. */
  chunks(): AsyncGenerator<Uint8Array>;
}

/** @throws StartupError when the file does not end with a checksum */
export async function checkedContent(path: string): Promise<CheckedContent> {
  const { size } = await stat(path);
  const bytes = size - LENGTH;
  const [, expected] = FORM.exec(bytes < 0 ? "" : await readFrom(path, bytes)) ?? [];
  if (expected === undefined) {
    throw new StartupError(
      `"${path}" is no whole backup: it does not end with its checksum. A database that was copied by other means ` +
        "is put in place by hand, without -wal and -shm files beside it, while the server is stopped",
    );
  }
  return { bytes, chunks: () => hashed(path, bytes, createHash("sha256"), expected) };
}

async function* hashed(path: string, bytes: number, hash: Hash, expected: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== expected) {
    throw new StartupError(`"${path}" is damaged: its content is not what its checksum was made of`);
  }
}

async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(LENGTH), 0, LENGTH, position);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
