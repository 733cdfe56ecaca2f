import { ApiError } from "edgehelm/client";
import type { Operation } from "../api/model.ts";
import { whenReached } from "./connection.ts";
import { forgetToken, operations, session } from "./state.ts";

type Fields = Record<string, unknown>;
interface Options {
  readonly signal?: AbortSignal;
  readonly idempotencyKey: string;
}
type Method = (request: Fields, options: Options) => Promise<Fields>;

/** Calls an operation by its path, such as `NSDomainService/createNSDomain`. */
export function callPath(path: string, request: Fields, signal?: AbortSignal): Promise<Fields> {
  const operation = operations.value.find((candidate) => candidate.path === `/${path}`);
  if (operation === undefined) throw new Error(`${path} is not served, or you may not call it`);
  return call(operation, request, signal);
}

/** Calls an operation that is known only by its descriptor. It waits for a server that cannot be reached. */
export async function call({ service, method }: Operation, request: Fields, signal?: AbortSignal): Promise<Fields> {
  if (session.value === undefined) throw new Error("there is no session");
  const methods = session.value.client.service(service) as unknown as Record<string, Method>;
  // One key for every attempt: what arrived before the connection broke is not done twice.
  const idempotencyKey = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
  const options = { idempotencyKey, ...signal !== undefined && { signal } };
  const send = () => whenReached(() => methods[method.localName]!(request, options), signal);
  try {
    return await send();
  } catch (error) {
    // The token ended before its time: the session did, or the person may do something else now.
    if (!(error instanceof ApiError) || error.code !== 401) throw error;
    forgetToken();
    return await send();
  }
}
