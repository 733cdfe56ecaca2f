import { watch } from "node:fs";

/** Notices that something in folders changes; it does not say what. */
export interface FolderWatch {
  close(): void;
}

/**
 * Watches folders, without those inside them.
 *
 * @param onChange called after each change, often several times
 */
export function watchFolders(folders: readonly string[], onChange: () => void): FolderWatch {
  return "Deno" in globalThis ? watchTogether(folders, onChange) : watchEach(folders, onChange);
}

function watchEach(folders: readonly string[], onChange: () => void): FolderWatch {
  const watchers = folders.flatMap((folder) => {
    try {
      // a folder that is deleted while it is watched
      return [watch(folder, onChange).on("error", onChange)];
    } catch {
      return [];
    }
  });
  return { close: () => watchers.forEach((watcher) => watcher.close()) };
}

/** One watcher for all folders: systems allow a program few of them, and node:fs on Deno takes one for each. */
function watchTogether(folders: readonly string[], onChange: () => void): FolderWatch {
  let watcher: Deno.FsWatcher;
  try {
    watcher = Deno.watchFs([...folders], { recursive: false });
  } catch {
    // a folder was deleted meanwhile: the next look finds those that are left
    const timer = setTimeout(onChange, 100);
    return { close: () => clearTimeout(timer) };
  }
  void (async () => {
    for await (const { kind } of watcher) if (kind !== "access") onChange();
  })().catch(onChange);
  return {
    close() {
      try {
        watcher.close();
      } catch {
        // it has ended by itself
      }
    },
  };
}
