import { sep } from "node:path";
import { changedFiles, type FileSnapshot, modifiedAt, readSnapshot } from "./file_snapshot.ts";
import { type FolderWatch, watchFolders } from "./folder_watch.ts";

/** The time without another change after which files are read: an editor writes a file in several steps. */
const QUIET_MILLISECONDS = 40;
const MAX_WAIT_MILLISECONDS = 400;

/** The files to watch. */
export interface WatchedFiles {
  /** The folders of plugins, with those inside them. */
  readonly roots: readonly string[];
  /** Other files. */
  readonly files: readonly string[];
  /** The folders of the other files. */
  readonly besides: readonly string[];
  readonly isIgnored: (folder: string) => boolean;
}

/** Collects changes of files, so that saves in quick succession are one change. */
export class FileChanges {
  readonly #onChange: (paths: readonly string[]) => void;
  #watched: WatchedFiles | undefined;
  #snapshot: FileSnapshot | undefined;
  /** The files that the snapshot covers. */
  #covered: WatchedFiles | undefined;
  #lookedAt = 0;
  #watch: FolderWatch | undefined;
  #watchedFolders = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | undefined;

  /** @param onChange called with the paths that changed */
  constructor(onChange: (paths: readonly string[]) => void) {
    this.#onChange = onChange;
  }

  /** Watches these files from now on. Changes since the last look are reported. */
  watch(watched: WatchedFiles): void {
    this.#watched = watched;
    this.#look();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watched = undefined;
    this.#watch?.close();
  }

  #noticed(): void {
    if (this.#watched === undefined) return;
    const now = performance.now();
    this.#firstChange ??= now;
    clearTimeout(this.#timer);
    const rest = this.#firstChange + MAX_WAIT_MILLISECONDS - now;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, Math.min(QUIET_MILLISECONDS, rest)));
  }

  #look(): void {
    if (this.#watched === undefined) return;
    const { roots, files, besides, isIgnored } = this.#watched;
    this.#firstChange = undefined;
    const startedAt = Date.now();
    let snapshot = readSnapshot(roots, files, isIgnored);
    const folders = [...new Set([...snapshot.folders, ...besides])];
    const key = folders.join("\n");
    if (key !== this.#watchedFolders) {
      this.#watch?.close();
      this.#watch = watchFolders(folders, () => this.#noticed());
      this.#watchedFolders = key;
      // what was written before the new folders were watched
      snapshot = readSnapshot(roots, files, isIgnored);
      if (snapshot.folders.some((folder) => !folders.includes(folder))) this.#noticed();
    }
    const [before, covered, since] = [this.#snapshot, this.#covered, this.#lookedAt];
    this.#snapshot = snapshot;
    this.#covered = this.#watched;
    this.#lookedAt = startedAt;
    if (before === undefined || covered === undefined) return;
    // a file that was not watched before may have changed long ago
    const changed = changedFiles(before, snapshot)
      .filter((path) => covers(covered, path) || modifiedAt(snapshot, path) >= since);
    if (changed.length > 0) this.#onChange(changed);
  }
}

function covers({ roots, files }: WatchedFiles, path: string): boolean {
  return files.includes(path) || roots.some((root) => path.startsWith(root + sep));
}
