import type { Runtime } from "../../harness/server.ts";

/** Returns a runtime whose processes may have so many files open. */
export function mayOpen(files: number, runtime: Runtime): Runtime {
  return ["sh", "-c", `ulimit -n ${files}; exec "$0" "$@"`, ...runtime];
}
