import type { StorageEngine } from "../../storage/engine.ts";

/** Returns an engine for one of several kernels in turn: it stays open when the kernel closes it. */
export function heldEngine(engine: StorageEngine): StorageEngine {
  return {
    shared: engine.shared,
    reader: engine.reader,
    ...engine.beginReads !== undefined && { beginReads: engine.beginReads.bind(engine) },
    ...engine.checkChanges !== undefined && { checkChanges: engine.checkChanges.bind(engine) },
    write: engine.write.bind(engine),
    scan: engine.scan.bind(engine),
    migrate: engine.migrate.bind(engine),
    get waiting() {
      return engine.waiting;
    },
    get unusable() {
      return engine.unusable;
    },
    get degraded() {
      return engine.degraded;
    },
    close: () => Promise.resolve(),
  };
}
