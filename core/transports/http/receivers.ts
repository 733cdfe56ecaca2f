import { ERROR_CODES, RpcError } from "../../base/errors.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import type { Receiver } from "../../plugin_api/plugin.ts";
import { type BodyBudget, withBody } from "./body.ts";
import { errorEnvelope } from "./envelope.ts";
import { remoteAddress, requestId } from "./incoming.ts";
import type { HttpOptions } from "./options.ts";
import { toResponse } from "./response.ts";

/** Creates the function that passes POST requests with their whole body to receivers of plugins. */
export function createReceiver(kernel: Kernel, { decompress, behindProxy }: HttpOptions, budget: BodyBudget) {
  return async ({ maxBytes, handler }: Receiver, request: Request, call: IncomingCall): Promise<Response> => {
    try {
      return await withBody(call, { limit: maxBytes, budget, decompress }, async (bytes) => {
        const { url, headers, signal } = request;
        const received = new Request(url, { method: "POST", headers, signal, body: new Uint8Array(bytes) });
        const { call: inner, end } = kernel.receivedCall(new URL(url).pathname, remoteAddress(call, behindProxy));
        try {
          return await handler(received, inner);
        } finally {
          end();
        }
      });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // The rest of the body must be read before the connection can be reused.
      call.body.discard();
      const { envelope: status } = ERROR_CODES[error.kind];
      const headers: [string, string][] = [["content-type", "application/json; charset=utf-8"]];
      return toResponse({ status, headers, body: errorEnvelope(error, requestId(call.header)) });
    }
  };
}
