import type { RpcError } from "./errors.ts";

/** The acts that a caller may do at present, with every credential. */
export interface CallerStanding {
  /**
   * Returns the error for an operation that the caller may not call now, or undefined if it may.
   *
   * @param act what the operation does: the `act` of its option `edgehelm.allow`
   */
  errorFor(act: string): RpcError | undefined;
}
