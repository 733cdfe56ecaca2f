import type { Call } from "../../base/call.ts";

/** The summary of a row that has a name. */
export interface NamedRow {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** Looks up rows for other plugins, as part of a contract. */
export interface Summaries<Summary> {
  /** Returns the rows that exist and are not deleted, by id. */
  summaries(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Summary>>;
}

/** Supplies the objects of a plugin for messages of other plugins. Plugins provide it as a contract. */
export interface Nested<Message> {
  /**
   * Returns objects by id, each as the operation that finds it returns it to the same caller, but without the objects in
   * it: responses are one level deep. An object that the caller may not see has only its id. Those that do not exist are
   * absent from the map.
   */
  nested(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Message>>;
}

/** Looks up and checks rows that rows of other plugins refer to. Plugins provide it as a contract. */
export interface References<Summary> extends Summaries<Summary> {
  /**
   * Checks that a row exists.
   *
   * @param field the request field to name in the error
   * @throws RpcError invalid if it does not
   */
  require(call: Call, field: string, id: bigint): Promise<void>;
  /**
   * Checks that every row exists.
   *
   * @param field the request field to name in the error
   * @throws RpcError invalid with the first id that does not
   */
  requireAll(call: Call, field: string, ids: readonly bigint[]): Promise<void>;
}
