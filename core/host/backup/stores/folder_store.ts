import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartupError } from "../../../base/startup_error.ts";
import { errorMessage, hasCode, syncDirectory } from "../../settings/files.ts";
import { readBackupName } from "../format/names.ts";
import type { Chunks } from "../format/pieces.ts";
import type { BackupStore, StoredFile } from "./store.ts";

const PARTIAL = ".partial";

/** A folder with backups, which only the user of the server can read. */
export class FolderStore implements BackupStore {
  readonly place: string;

  constructor(path: string) {
    this.place = path;
  }

  async put(name: string, bytes: number, chunks: Chunks, signal: AbortSignal): Promise<void> {
    const path = join(this.place, name);
    const draft = path + PARTIAL;
    try {
      await this.#create();
      await this.#removeDrafts();
      const file = await open(draft, "wx", 0o600);
      try {
        for await (const chunk of chunks) {
          signal.throwIfAborted();
          await file.writeFile(chunk);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      const { size } = await stat(draft);
      if (size !== bytes) throw new StartupError(`the file has ${size} bytes, not ${bytes}`);
      await rename(draft, path);
      await syncDirectory(dirname(path));
    } catch (cause) {
      if (signal.aborted) throw cause;
      throw new StartupError(`cannot write the backup "${path}": ${errorMessage(cause)}`, { cause });
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  async get(name: string, signal: AbortSignal): Promise<{ bytes: number; chunks: Chunks }> {
    const path = join(this.place, name);
    const { size } = await stat(path).catch((cause: unknown) => {
      throw new StartupError(`cannot read the backup "${path}": ${errorMessage(cause)}`, { cause });
    });
    return { bytes: size, chunks: createReadStream(path, { signal }) };
  }

  async list(_signal: AbortSignal): Promise<StoredFile[]> {
    const names = (await this.#names()).filter((name) => readBackupName(name) !== undefined);
    return await Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(this.place, name))).size })));
  }

  async remove(name: string, _signal: AbortSignal): Promise<void> {
    await rm(join(this.place, name), { force: true });
  }

  /** Creates the folder, but none above it: if that is missing, a disk may not be mounted. */
  async #create(): Promise<void> {
    try {
      await mkdir(this.place, { mode: 0o700 });
    } catch (cause) {
      if (!hasCode(cause, "EEXIST")) throw cause;
    }
  }

  /** Removes what processes left that ended while they wrote a backup of this installation or another one. */
  async #removeDrafts(): Promise<void> {
    for (const name of await this.#names()) {
      const isDraft = name.endsWith(PARTIAL) && readBackupName(name.slice(0, -PARTIAL.length)) !== undefined;
      if (!isDraft) continue;
      const path = join(this.place, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > ABANDONED_MILLISECONDS) await rm(path, { force: true });
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.place);
    } catch (cause) {
      if (hasCode(cause, "ENOENT")) return [];
      throw new StartupError(`cannot read the folder "${this.place}": ${errorMessage(cause)}`, { cause });
    }
  }
}

/** A draft to which nothing was written for this time belongs to no running process. */
const ABANDONED_MILLISECONDS = 3_600_000;
