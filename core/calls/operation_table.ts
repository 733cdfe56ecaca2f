import type { Operation } from "./operation.ts";

/** Every operation of an installation, found by the paths that clients use. */
export class OperationTable {
  readonly #byPath = new Map<string, Operation>();
  readonly #byRpcPath = new Map<string, Operation>();
  readonly all: readonly Operation[];

  constructor(operations: readonly Operation[]) {
    this.all = operations;
    for (const operation of operations) {
      this.#byPath.set(operation.path, operation);
      this.#byPath.set(withFirstLetter(operation.path, "toUpperCase"), operation);
      this.#byRpcPath.set(withFirstLetter(operation.rpcPath, "toLowerCase"), operation);
      this.#byRpcPath.set(withFirstLetter(operation.rpcPath, "toUpperCase"), operation);
    }
  }

  /** By `/<ServiceName>/<methodName>`; a name that is unknown is tried again without its first `Enabled`. */
  find(path: string): Operation | undefined {
    const found = this.#byPath.get(path);
    if (found !== undefined || path.length > 256) return found;
    const slash = path.lastIndexOf("/");
    return this.#byPath.get(path.slice(0, slash) + path.slice(slash).replace("Enabled", ""));
  }

  /** By `/<package>.<ServiceName>/<rpcName>`, the name's first letter in either case. */
  findRpc(rpcPath: string): Operation | undefined {
    return this.#byRpcPath.get(rpcPath);
  }
}

function withFirstLetter(path: string, change: "toUpperCase" | "toLowerCase"): string {
  const start = path.lastIndexOf("/") + 1;
  return path.slice(0, start) + path.charAt(start)[change]() + path.slice(start + 1);
}
