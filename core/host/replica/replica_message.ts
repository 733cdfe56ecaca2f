import type { SqlResult, SqlValue } from "../../storage/engine.ts";

/** The first message to the replica process: the database to copy and the place of the copy. */
export interface ReplicaSource {
  /** A directory for the replica alone. */
  readonly directory: string;
  readonly url: string;
  readonly token: string | undefined;
  /** The age in milliseconds from which the replica must synchronise before it reads. */
  readonly maxAgeMilliseconds: number;
  /** True to discard an existing copy and start with an empty one. */
  readonly discardsCopy: boolean;
}

/** Statements to run on one state of the replica. */
export interface ReplicaRequest {
  /** The number of writes, as counted by the parent, that the replica must contain. */
  readonly minWrites: number;
  readonly statements: readonly { readonly sql: string; readonly parameters: readonly SqlValue[] }[];
}

/** The response to a request. Responses are sent in the order of the requests. */
export type ReplicaResponse =
  | { readonly results: readonly SqlResult[] }
  /** The replica is up to date, but a statement failed. */
  | { readonly statementError: string }
  | { readonly syncError: string };
