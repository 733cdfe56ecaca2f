import { ApiError } from "edgehelm/client";
import type { Operation } from "../api/model.ts";
import { forgetToken, operations, session } from "./state.ts";

type Fields = Record<string, unknown>;
type Method = (request: Fields, options: { readonly signal?: AbortSignal }) => Promise<Fields>;

/** Calls an operation by its path, such as `NSDomainService/createNSDomain`. */
export function callPath(path: string, request: Fields, signal?: AbortSignal): Promise<Fields> {
  const operation = operations.value.find((candidate) => candidate.path === `/${path}`);
  if (operation === undefined) throw new Error(`${path} is not served, or you may not call it`);
  return call(operation, request, signal);
}

/** Calls an operation that is known only by its descriptor. */
export async function call({ service, method }: Operation, request: Fields, signal?: AbortSignal): Promise<Fields> {
  if (session.value === undefined) throw new Error("there is no session");
  const methods = session.value.client.service(service) as unknown as Record<string, Method>;
  const send = () => methods[method.localName]!(request, signal === undefined ? {} : { signal });
  try {
    return await send();
  } catch (error) {
    // The token ended before its time: the session did, or the person may do something else now.
    if (!(error instanceof ApiError) || error.code !== 401) throw error;
    forgetToken();
    return await send();
  }
}
