import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Call } from "../base/call.ts";
import type { Handler } from "../plugin_api/handlers.ts";

/** Takes an encoded request, checked, and answers an encoded response. */
export type EncodedHandler = (request: Uint8Array, call: Call) => Promise<Uint8Array> | Uint8Array;

const encodedHandlers = new WeakSet<object>();

/**
 * Makes the handler of a unary method of one that takes the request and gives the response as encoded messages, for
 * what is kept and handed on as it came: nothing is decoded that nobody looks at, and fields that are not known here
 * survive. Over gRPC the bytes go through as they are; other wires encode the request and decode the response. The
 * request was checked against its type and the limits of the installation, as any other.
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
