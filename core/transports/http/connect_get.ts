import type { Limits } from "../../base/limits.ts";
import { RpcError } from "../../base/errors.ts";
import type { Operation } from "../../calls/operation.ts";
import { checkUniqueFields } from "../../protobuf/json/unique_fields.ts";
import { connectError } from "./connect_errors.ts";

/** The body of a GET request of Connect, which is empty: the message is in the address. It is checked as in a body. */
export async function* requireUniqueKeys(
  url: string,
  { method, hasErrorInfo }: Operation,
  { jsonDepth: maxDepth }: Limits,
): AsyncGenerator<Uint8Array> {
  const { searchParams } = new URL(url);
  if (searchParams.get("encoding") !== "json" || searchParams.has("base64")) return;
  try {
    checkUniqueFields(method.input, searchParams.get("message") ?? "", { maxDepth });
  } catch (error) {
    throw error instanceof RpcError ? connectError(error, "", hasErrorInfo) : error;
  }
}

/** Forbids caches to keep a response, unless the operation says what they may do. */
export function uncached(response: Response): Response {
  if (response.headers.has("cache-control")) return response;
  const headers = new Headers(response.headers);
  headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}
