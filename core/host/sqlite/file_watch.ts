import { statSync } from "node:fs";
import { kernelErrors } from "../../base/errors.ts";
import { APPLICATION_ID } from "./application_id.ts";
import { checkpointOf, headerOf } from "./database_file.ts";
import { heldDescriptor } from "./held_descriptors.ts";

const APPLICATION_ID_OFFSET = 68;

/** The reason for callers; the path is in the log only. */
export const REPLACED = "the database file was renamed, replaced or deleted while the server runs";

interface Watched {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/**
 * Notices when an open database file, or its write-ahead log, is no longer what its name leads to: what is written then
 * would be lost. That is final, because nothing says what happened to the files meanwhile.
 */
export class FileWatch {
  readonly #files: readonly Watched[];
  readonly #file: number;
  readonly #onLost: (path: string) => void;
  #lowestCheckpoint = 0;
  #lost = false;

  /** @param paths the names of the files of a database that is open, first its own */
  constructor(paths: readonly [string, ...string[]], onLost: (path: string) => void) {
    this.#files = paths.flatMap((path) => watched(path) ?? []);
    this.#file = heldDescriptor(paths[0]);
    this.#onLost = onLost;
  }

  get isLost(): boolean {
    return this.#lost;
  }

  /** Checks the names, in microseconds. */
  check(): void {
    if (this.#lost) return;
    const lost = this.#files.find(({ path, device, inode }) => {
      const now = watched(path);
      return now?.device !== device || now.inode !== inode;
    });
    if (lost !== undefined) this.#lose(lost.path);
  }

  /** Checks also that no other content was copied over the file. */
  checkContent(): void {
    this.check();
    if (this.#lost) return;
    const header = headerOf(this.#file);
    const isOwn = header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID || checkpointOf(header) === 0;
    if (!isOwn || checkpointOf(header) < this.#lowestCheckpoint) this.#lose(this.#files[0]!.path);
  }

  /** Declares the number of the checkpoint that the file has from now on. */
  moved(checkpoint: number): void {
    this.#lowestCheckpoint = checkpoint;
  }

  /** @throws RpcError if the files are lost */
  require(): void {
    this.check();
    if (this.#lost) throw kernelErrors.unavailable(`${REPLACED}; nothing is written until it starts again`);
  }

  #lose(path: string): void {
    this.#lost = true;
    this.#onLost(path);
  }
}

function watched(path: string): Watched | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : { path, device: stat.dev, inode: stat.ino };
}
