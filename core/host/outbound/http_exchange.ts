import { type IncomingMessage, request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import type { OutgoingRequest } from "../../outbound/transport.ts";

const MAX_HEADER_BYTES = 16_384;

/** Sends one request over an open connection, which ends with the response. */
export async function exchange(socket: Socket, request: OutgoingRequest, signal: AbortSignal): Promise<Response> {
  try {
    const message = await responseTo(socket, request, signal);
    const headers = new Headers();
    const { rawHeaders, statusCode = 0, statusMessage = "" } = message;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
    }
    const hasBody = request.method !== "HEAD" && ![204, 205, 304].includes(statusCode);
    if (!hasBody) socket.destroy();
    return new Response(hasBody ? bodyOf(message, socket) : null, {
      status: statusCode,
      statusText: statusMessage,
      headers,
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function responseTo(
  socket: Socket,
  { url, method, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest({
      method,
      host: url.hostname,
      path: url.pathname + url.search,
      headers: {
        ...Object.fromEntries(headers),
        host: url.host,
        connection: "close",
        ...(body !== undefined || /^(?:POST|PUT|PATCH)$/.test(method)) && { "content-length": body?.length ?? 0 },
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      createConnection: () => socket,
    });
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    outgoing.on("upgrade", () => reject(new Error("it changes the protocol")));
    outgoing.on("close", () => reject(signal.aborted ? signal.reason : new Error("it closed the connection")));
    outgoing.end(body);
  });
}

/** Reads a body as fast as it is consumed. */
function bodyOf(message: IncomingMessage, socket: Socket): ReadableStream<Uint8Array<ArrayBuffer>> {
  // an error before the first read would otherwise end the process
  message.on("error", () => {});
  const chunks = message[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done !== true) return controller.enqueue(new Uint8Array(value));
        if (!message.complete) throw new Error("the response ended early");
        controller.close();
      } catch (error) {
        socket.destroy();
        throw error;
      }
      socket.destroy();
    },
    cancel() {
      socket.destroy();
    },
  }, { highWaterMark: 0 });
}
