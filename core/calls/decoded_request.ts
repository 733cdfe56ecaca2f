import { type Message, toBinary } from "@bufbuild/protobuf";
import { type IdempotencyKey, idempotencyKey } from "./idempotency.ts";
import type { Operation } from "./operation.ts";

/** A request as a transport passes it on. */
export interface DecodedRequest {
  /** A message, or its bytes if the operation's handler takes encoded messages. */
  readonly request: unknown;
  readonly idempotencyKey?: IdempotencyKey | undefined;
}

/**
 * Returns a request with its idempotency key. The key belongs to the message, so that a retry may use another protocol
 * or another form of the same JSON.
 *
 * @param key the header `Idempotency-Key`; reads ignore it
 * @throws RpcError invalid if the key is malformed
 */
export function decodedRequest(
  { effect, isEncoded, method }: Operation,
  request: unknown,
  key: string | undefined,
): DecodedRequest | Promise<DecodedRequest> {
  if (key === undefined || effect === "read") return { request };
  const bytes = isEncoded ? request as Uint8Array<ArrayBuffer> : toBinary(method.input, request as Message);
  return idempotencyKey(key, bytes).then((idempotencyKey) => ({ request, idempotencyKey }));
}
