import { kernelErrors } from "edgehelm";
import type { Client, SFTPWrapper } from "ssh2";
import type { UploadSource } from "../machine.ts";

const CHUNK_BYTES = 1024 * 1024;
/** The data of one message, which every server accepts. */
const MESSAGE_BYTES = 32_768;

/** Opens SFTP, or returns undefined if the machine does not have it. */
export function openSftp(client: Client): Promise<SFTPWrapper | undefined> {
  return new Promise((resolve) => client.sftp((error, sftp) => resolve(error === undefined ? sftp : undefined)));
}

/** Writes a file from an offset on. The messages of a chunk are under way together. */
export async function sendBySftp(
  sftp: SFTPWrapper,
  path: string,
  source: UploadSource,
  offset: number,
): Promise<void> {
  const done = (act: (settle: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => act((error) => error ? reject(writeError(path, error)) : resolve()));
  const handle = await new Promise<Buffer>((resolve, reject) => {
    const mode = offset === 0 ? "w" : "r+";
    sftp.open(
      path,
      mode,
      { mode: 0o600 },
      (error, opened) => error ? reject(writeError(path, error)) : resolve(opened),
    );
  });
  try {
    for (let at = offset; at < source.size;) {
      const bytes = Buffer.from(await source.read(at, CHUNK_BYTES));
      const start = at;
      const starts = Array.from(
        { length: Math.ceil(bytes.length / MESSAGE_BYTES) },
        (_, index) => index * MESSAGE_BYTES,
      );
      await Promise.all(starts.map((from) => {
        const length = Math.min(MESSAGE_BYTES, bytes.length - from);
        return done((settle) => sftp.write(handle, bytes, from, length, start + from, settle));
      }));
      at += bytes.length;
    }
  } finally {
    await done((settle) => sftp.close(handle, settle)).catch(() => {});
    sftp.end();
  }
}

function writeError(path: string, error: Error) {
  return kernelErrors.unavailable(`cannot write ${path}: ${error.message}`);
}
