import type { Operation } from "../api/model.ts";
import { operations, session } from "./state.ts";

type Fields = Record<string, unknown>;
type Method = (request: Fields, options: { readonly signal?: AbortSignal }) => Promise<Fields>;

/** Calls an operation by its path, such as `NSDomainService/createNSDomain`. */
export function callPath(path: string, request: Fields, signal?: AbortSignal): Promise<Fields> {
  const operation = operations.value.find((candidate) => candidate.path === `/${path}`);
  if (operation === undefined) throw new Error(`${path} is not served, or you may not call it`);
  return call(operation, request, signal);
}

/** Calls an operation that is known only by its descriptor. */
export function call({ service, method }: Operation, request: Fields, signal?: AbortSignal): Promise<Fields> {
  if (session.value === undefined) throw new Error("there is no session");
  const methods = session.value.client.service(service) as unknown as Record<string, Method>;
  return methods[method.localName]!(request, signal === undefined ? {} : { signal });
}
