import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Call } from "../base/call.ts";
import type { Handler } from "../plugin_api/handlers.ts";

/** A handler that takes a validated, encoded request and returns an encoded response. */
export type EncodedHandler = (request: Uint8Array, call: Call) => Promise<Uint8Array> | Uint8Array;

const encodedHandlers = new WeakSet<object>();

/**
 * Creates the handler of a unary method from a function that works on encoded messages (protobuf binary format). Use it
 * for data that is stored or forwarded unread: the kernel does not decode it, and unknown fields are preserved. Over
 * gRPC the bytes pass through unchanged; other protocols encode the request and decode the response. As with other
 * handlers, the request has been validated against its type and the limits of the installation.
 *
 * @param handler takes the bytes of the request and returns the bytes of the response
 *
 * @example
 * ```ts
 * serve(BlobService, { createBlobs: encoded(async (request, call) => {
 *   await store.append(call, request);
 *   return new Uint8Array();
 * }) });
 * ```
 */
export function encoded<Method extends DescMethodUnary>(handler: EncodedHandler): Handler<Method> {
  encodedHandlers.add(handler);
  return handler as unknown as Handler<Method>;
}

export function isEncoded(handler: object): boolean {
  return encodedHandlers.has(handler);
}
