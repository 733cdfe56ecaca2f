import { ERROR_CODES, RpcError } from "../../base/errors.ts";
import type { IncomingCall } from "../../net/http_message.ts";
import type { Receiver } from "../../plugin_api/plugin.ts";
import { type BodyBudget, withBody } from "./body.ts";
import { errorEnvelope } from "./envelope.ts";
import { requestId } from "./incoming.ts";
import type { HttpOptions } from "./options.ts";
import { toResponse } from "./response.ts";

/** Creates the function that passes POST requests with their whole body to receivers of plugins. */
export function createReceiver({ decompress }: HttpOptions, budget: BodyBudget) {
  return async ({ maxBytes, handler }: Receiver, request: Request, call: IncomingCall): Promise<Response> => {
    try {
      return await withBody(call, { limit: maxBytes, budget, decompress }, async (bytes) => {
        const { url, headers, signal } = request;
        return await handler(new Request(url, { method: "POST", headers, signal, body: new Uint8Array(bytes) }));
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
