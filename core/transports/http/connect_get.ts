import type { HandlerContext } from "@connectrpc/connect";
import { RpcError } from "../../base/errors.ts";
import { checkUniqueFields } from "../../protobuf/json/unique_fields.ts";
import { connectError, HAS_INFO } from "./connect_errors.ts";

/** Checks the JSON in the address of a GET request of Connect as that of a body is checked. */
export function requireUniqueKeys({ method, url, values }: HandlerContext, maxDepth: number): void {
  const { searchParams } = new URL(url);
  if (searchParams.get("encoding") !== "json" || searchParams.has("base64")) return;
  try {
    checkUniqueFields(method.input, searchParams.get("message") ?? "", { maxDepth });
  } catch (error) {
    throw error instanceof RpcError ? connectError(error, "", values.get(HAS_INFO)) : error;
  }
}

/** Forbids caches to keep a response, unless the operation says what they may do. */
export function uncached(response: Response): Response {
  if (response.headers.has("cache-control")) return response;
  const headers = new Headers(response.headers);
  headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}
