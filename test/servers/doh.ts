import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A server of DNS over HTTPS, without TLS. */
export interface DohServer extends AsyncDisposable {
  readonly url: string;
  /** The media types of the requests. */
  readonly mediaTypes: readonly (string | undefined)[];
}

/** The response to a request. */
export interface DohResponse {
  readonly status?: number;
  readonly body: Uint8Array;
}

/** Starts a server on a free port whose responses a function of the test gives. */
export async function startDoh(respond: (message: Uint8Array) => Promise<DohResponse>): Promise<DohServer> {
  const mediaTypes: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    mediaTypes.push(request.headers["content-type"]);
    const { status = 200, body } = await respond(new Uint8Array(await buffer(request)));
    response.writeHead(status, { "content-type": "application/dns-message" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`,
    mediaTypes,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a message to a DNS server over UDP and returns its response. */
export function exchangeOverUdp(address: string, message: Uint8Array): Promise<Uint8Array> {
  const { hostname, port } = new URL(`udp://${address}`);
  return new Promise((resolve, reject) => {
    const socket = createSocket("udp4").once("error", reject);
    socket.once("message", (response) => {
      socket.close();
      resolve(new Uint8Array(response));
    });
    socket.send(message, Number(port), hostname);
  });
}
