import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Limits } from "../limits.ts";

/** What node:http calls the fault, and what the caller is told. */
const FAULTS: Readonly<Record<string, readonly [status: string, reason: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "kernel.too_slow", "the request did not come in time"],
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "kernel.too_large",
    "the headers are larger than this server allows",
  ],
};
const MALFORMED = ["400 Bad Request", "kernel.malformed", "the request is not HTTP/1.1 as it should be"] as const;

/** Answers a request that could not be parsed, or did not come in time, and closes the connection. */
export function refuseRequest({ code }: { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, reason, message] = FAULTS[code ?? ""] ?? MALFORMED;
  const json = envelope(Number.parseInt(status), reason, message);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\n`;
  socket.end(`${head}content-length: ${json.length}\r\n\r\n${json}`, () => socket.destroy());
}

/** Answers a request with too many headers. */
export function refuseHeaders(outgoing: ServerResponse, { headerCount }: Limits): void {
  const json = envelope(431, "kernel.too_large", `the request has more headers than the limit of ${headerCount}`);
  outgoing.writeHead(431, { "content-type": "application/json; charset=utf-8", connection: "close" }).end(json);
}

function envelope(code: number, reason: string, message: string): string {
  return JSON.stringify({ code, data: {}, message, reason });
}
