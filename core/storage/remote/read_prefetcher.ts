import type { SqlStatement, SqlValue } from "../engine.ts";

/** A statement to read with its values, and a key that only identical requests share. */
export interface ReadRequest {
  readonly statement: SqlStatement;
  readonly parameters: readonly SqlValue[];
  readonly key: string;
}

/** The maximum number of calls to remember. */
const MAX_REMEMBERED = 4096;
/** The maximum number of characters of the requests to remember of one call. */
const MAX_CHARACTERS = 4000;
const NONE: readonly ReadRequest[] = [];

interface Following {
  readonly requests: readonly ReadRequest[];
  /** True if the same requests followed twice in a row. */
  readonly isSteady: boolean;
}

/**
 * Predicts the later reads of a call from its first ones, so that they can share a round trip. It remembers requests
 * and never results: a wrong prediction costs the server a statement, but every result is fresh.
 */
export class ReadPrefetcher {
  /** The following requests by the first requests of a call, with their values. */
  readonly #exact = new Map<string, readonly ReadRequest[]>();
  /** The following requests by the first statements of a call, for values that have not been seen. */
  readonly #byShape = new Map<string, Following>();
  readonly #names = new WeakMap<SqlStatement, string>();
  #named = 0;

  request(statement: SqlStatement, parameters: readonly SqlValue[]): ReadRequest {
    let key = this.#nameOf(statement);
    for (const value of parameters) key += typeof value === "string" ? ` ${value.length}:${value}` : ` ${value}`;
    return { statement, parameters, key };
  }

  /** Predicts the requests that follow `first`. */
  after(first: readonly ReadRequest[]): readonly ReadRequest[] {
    const key = keyOf(first);
    const exact = this.#exact.get(key);
    if (exact !== undefined) {
      touch(this.#exact, key, exact);
      return exact;
    }
    const similar = this.#byShape.get(this.#shapeOf(first));
    return similar?.isSteady === true ? similar.requests : NONE;
  }

  /** Remembers the requests that followed `first`. */
  learn(first: readonly ReadRequest[], followed: readonly ReadRequest[]): void {
    const key = keyOf(first);
    if (key.length > MAX_CHARACTERS) return;
    let room = MAX_CHARACTERS;
    const requests = followed.filter((request) => (room -= request.key.length) >= 0);
    touch(this.#exact, key, requests);
    const shape = this.#shapeOf(first);
    const isSteady = keyOf(this.#byShape.get(shape)?.requests ?? NONE) === keyOf(requests);
    touch(this.#byShape, shape, { requests, isSteady });
  }

  #nameOf(statement: SqlStatement): string {
    let name = this.#names.get(statement);
    if (name === undefined) this.#names.set(statement, name = `#${this.#named++}`);
    return name;
  }

  #shapeOf(requests: readonly ReadRequest[]): string {
    return requests.map(({ statement }) => this.#nameOf(statement)).join();
  }
}

function keyOf(requests: readonly ReadRequest[]): string {
  return requests.length === 1 ? requests[0]!.key : requests.map(({ key }) => key).join("\n");
}

/** Sets an entry as the most recently used one, and evicts the least recently used one if there are too many. */
function touch<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value!);
}
