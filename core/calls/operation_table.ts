import type { Operation } from "./operation.ts";

/** The operations of an installation, indexed by path. */
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

  /**
   * Finds an operation by its HTTP path `/<ServiceName>/<methodName>`. If there is none, it tries the method name without
   * its first `Enabled`, as existing clients use it.
   */
  find(path: string): Operation | undefined {
    const found = this.#byPath.get(path);
    if (found !== undefined || path.length > 256) return found;
    const slash = path.lastIndexOf("/");
    return this.#byPath.get(path.slice(0, slash) + path.slice(slash).replace("Enabled", ""));
  }

  /** Finds an operation by its gRPC path `/<package>.<ServiceName>/<rpcName>`; the rpc name may begin in either case. */
  findRpc(rpcPath: string): Operation | undefined {
    return this.#byRpcPath.get(rpcPath);
  }
}

function withFirstLetter(path: string, change: "toUpperCase" | "toLowerCase"): string {
  const start = path.lastIndexOf("/") + 1;
  return path.slice(0, start) + path.charAt(start)[change]() + path.slice(start + 1);
}
