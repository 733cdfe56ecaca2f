import { connect, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import type { OutboundConnection, OutboundTls } from "../../base/outbound.ts";
import { addressVersion } from "../../fields/network_fields.ts";
import type { AddressGuard } from "../../outbound/address_guard.ts";
import type { OutgoingRequest, Peer, Transport } from "../../outbound/transport.ts";
import { exchange } from "./http_exchange.ts";
import { SocketConnection } from "./socket_connection.ts";

/** Returns the addresses of a host name, the preferred one first. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const MAX_ADDRESSES = 4;
/** The time that one of several addresses has to accept a connection. */
const ATTEMPT_MILLISECONDS = 3000;

/** Connects with the sockets of Node, which Deno has too, to an address that was checked: the name is not resolved again. */
export class MachineTransport implements Transport {
  readonly checksAddresses = true;
  readonly #guard: AddressGuard;
  readonly #resolve: ResolveHost;

  constructor(guard: AddressGuard, resolve: ResolveHost) {
    this.#guard = guard;
    this.#resolve = resolve;
  }

  async send(request: OutgoingRequest, signal: AbortSignal): Promise<Response> {
    const { protocol, hostname, port } = request.url;
    const isSecure = protocol === "https:";
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const socket = await this.#open("url", host, Number(port) || (isSecure ? 443 : 80), signal);
    // HTTP/1.1 needs no ALPN, but some servers choose by it
    const secured = isSecure
      ? await startTls(socket, host, request.ca === undefined ? {} : { ca: request.ca }, signal, ["http/1.1"])
      : socket;
    return await exchange(secured, request, signal);
  }

  async connect({ host, port, tls }: Peer, signal: AbortSignal): Promise<OutboundConnection> {
    const socket = await this.#open("host", host, port, signal);
    const start = (plain: Socket, options: OutboundTls) => startTls(plain, host, options, signal);
    return new SocketConnection(tls === undefined ? socket : await start(socket, tls), start);
  }

  async requireAddresses(field: string, host: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#addressesOf(field, host, signal);
    } catch (error) {
      // any other error is that of the name, which has no address now
      if (error instanceof RpcError && error.kind === "invalid") throw error;
    }
  }

  async #open(field: string, host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const addresses = await this.#addressesOf(field, host, signal);
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      const attempt = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MILLISECONDS)]);
      try {
        return await opened(connect({ host: address, port }), "connect", signal, attempt);
      } catch (error) {
        if (isLast || signal.aborted) throw error;
      }
    }
    throw kernelErrors.unavailable(`${host} has no address`);
  }

  async #addressesOf(field: string, host: string, signal: AbortSignal): Promise<readonly string[]> {
    const isAddress = addressVersion(host) !== undefined;
    const addresses = isAddress ? [host] : await untilAborted(this.#resolve(host), signal);
    this.#guard.require(field, host, addresses);
    return addresses.slice(0, MAX_ADDRESSES);
  }
}

/** @throws RpcError unavailable with what is wrong with the certificate */
async function startTls(
  socket: Socket,
  host: string,
  { serverName = host, ca }: OutboundTls,
  signal: AbortSignal,
  protocols: string[] = [],
): Promise<TLSSocket> {
  // certificates have names without the dot at the end
  const name = serverName.replace(/\.$/, "");
  const secured = connectTls({
    socket,
    // the certificate is checked against the address if there is no name
    host: name,
    servername: addressVersion(name) === undefined ? name : "",
    ...protocols.length > 0 && { ALPNProtocols: protocols },
    ...ca !== undefined && { ca },
  });
  try {
    return await opened(secured, "secureConnect", signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Waits until a socket is open. It is destroyed if it cannot be opened, and when the signal aborts later. */
async function opened<Opened extends Socket>(
  socket: Opened,
  event: string,
  signal: AbortSignal,
  attempt = signal,
): Promise<Opened> {
  const destroy = () => socket.destroy();
  try {
    await new Promise<void>((resolve, reject) => {
      // also later, when an error without a listener would end the process
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("closed")));
      socket.once(event, resolve);
      attempt.addEventListener("abort", () => reject(attempt.reason), { once: true });
      attempt.throwIfAborted();
    });
  } catch (error) {
    destroy();
    throw error;
  }
  signal.addEventListener("abort", destroy, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", destroy));
  if (signal.aborted) destroy();
  return socket;
}

function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
