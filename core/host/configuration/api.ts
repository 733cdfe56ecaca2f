import type { ApiOperation } from "../api_cli/api_document.ts";
import type { CallOptions, Session } from "../api_cli/session.ts";
import { isObject, jsonOf, type Values } from "./values.ts";

/** The largest page that lists return. */
const PAGE_SIZE = 1000;

/** Calls the operations of an installation. */
export class Api {
  readonly #session: Pick<Session, "call">;

  constructor(session: Pick<Session, "call">) {
    this.#session = session;
  }

  /** Calls an operation and returns the data of the response. */
  async call({ path }: Pick<ApiOperation, "path">, request: Values, options: CallOptions = {}): Promise<Values> {
    return await this.#session.call(path, JSON.stringify(request), options) as Values ?? {};
  }

  /** Returns all objects that a list has; one for an operation that returns no list. */
  async all(operation: ApiOperation, request: Values): Promise<Values[]> {
    const isPaged = "offset" in operation.fields && "size" in operation.fields;
    const all: Values[] = [];
    for (let offset = 0;; offset += PAGE_SIZE) {
      const data = await this.call(operation, isPaged ? { ...request, offset, size: PAGE_SIZE } : request);
      const page = itemsOf(data);
      all.push(...page);
      if (!isPaged || page.length < PAGE_SIZE) return all;
    }
  }

  /** Returns the object that an operation finds; undefined if there is none. */
  async one(operation: ApiOperation, request: Values): Promise<Values | undefined> {
    const [content] = contentsOf(await this.call(operation, request));
    return isObject(content) ? content : undefined;
  }
}

/** Returns the values of a response, JSON as what it says. */
function contentsOf(data: Values): unknown[] {
  return Object.entries(data).map(([name, value]) => name.endsWith("JSON") ? jsonOf(value) : value);
}

function itemsOf(data: Values): Values[] {
  const contents = contentsOf(data);
  const lists = contents.filter(Array.isArray);
  if (lists.length > 0) return lists[0]!.filter(isObject);
  return contents.every((value) => value === null || value === undefined) ? [] : [data];
}
