import type { SqlResult, SqlValue } from "../../storage/engine.ts";

/** What a copy is of, and where it is kept; the first message to the process that keeps it. */
export interface ReplicaSource {
  /** A directory for the copy alone. */
  readonly directory: string;
  readonly url: string;
  readonly token: string | undefined;
  /** Milliseconds after which it must look for news. */
  readonly greatestAge: number;
  /** Whether to forget the copy that is there. */
  readonly anew: boolean;
}

/** Statements to read in one state of the copy. */
export interface ReplicaRequest {
  /** How many writes the copy must have, counted by the parent. */
  readonly covers: number;
  readonly statements: readonly { readonly sql: string; readonly parameters: readonly SqlValue[] }[];
}

/** The answers come in the order of the requests. */
export type ReplicaReply =
  | { readonly results: readonly SqlResult[] }
  /** The copy is as it should be, and one of the statements is not. */
  | { readonly refused: string }
  | { readonly fault: string };
