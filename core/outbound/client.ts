import { invalid, kernelErrors } from "../base/errors.ts";
import type { Outbound, OutboundConnection, OutboundInit, OutboundTarget } from "../base/outbound.ts";
import { asciiHost, type HostList } from "./host_list.ts";
import { connectionLimits, requestLimits } from "./limits.ts";
import { LimitedConnection } from "./limited_connection.ts";
import { limitedStream, tooLarge } from "./limited_stream.ts";
import { outgoingRequest, webAddress } from "./outgoing_request.ts";
import { redirected } from "./redirects.ts";
import { TimeLimit } from "./time_limit.ts";
import type { OutgoingRequest, Transport } from "./transport.ts";

/** A name that is not resolved by then is checked when it is connected to. */
const RESOLVE_MILLISECONDS = 5000;
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Sends the requests of plugins within limits, and only to hosts and addresses that the settings allow. */
export class OutboundClient implements Outbound {
  readonly #transport: Transport;
  readonly #hosts: HostList;

  constructor(transport: Transport, hosts: HostList) {
    this.#transport = transport;
    this.#hosts = hosts;
  }

  async fetch(input: string | URL, init: OutboundInit = {}): Promise<Response> {
    const limits = requestLimits(init);
    const first = await outgoingRequest(input, init);
    const time = new TimeLimit(first.url.hostname, limits.timeoutMilliseconds, init.signal);
    try {
      const [{ url }, response] = await this.#followed(first, init.redirect, limits.maxRedirects, time.signal);
      return bounded(url, response, limits.maxBytes, time);
    } catch (error) {
      time.end();
      throw time.errorOf(error);
    }
  }

  async #followed(
    first: OutgoingRequest,
    redirect: RequestRedirect = "follow",
    maxRedirects: number,
    signal: AbortSignal,
  ): Promise<[OutgoingRequest, Response]> {
    let request = first;
    for (let redirects = 0;; redirects++) {
      this.#requireHost("url", hostOf(request.url));
      const response = await this.#transport.send(request, signal);
      if (redirect === "manual") return [request, response];
      const next = await this.#next(request, response);
      if (next === undefined) return [request, response];
      if (redirect === "error") throw kernelErrors.unavailable(`${request.url.host} redirects, which is not allowed`);
      if (redirects === maxRedirects) {
        throw kernelErrors.unavailable(`${first.url.host} redirects more than ${maxRedirects} times`);
      }
      request = next;
    }
  }

  /** Returns the next request of a redirect, and discards the response if there is one or it is refused. */
  async #next(request: OutgoingRequest, response: Response): Promise<OutgoingRequest | undefined> {
    let isFinal = false;
    try {
      const next = redirected(request, response);
      isFinal = next === undefined;
      if (next !== undefined) webAddress(next.url);
      return next;
    } finally {
      if (!isFinal) await response.body?.cancel().catch(() => {});
    }
  }

  async connect(target: OutboundTarget): Promise<OutboundConnection> {
    const { timeoutMilliseconds, maxBytes } = connectionLimits(target);
    const { port, tls = false, signal } = target;
    const host = asciiHost(target.host);
    if (host === undefined) {
      throw invalid("host", `must be a host name or an IP address, got "${target.host.slice(0, 60)}"`);
    }
    if (!Number.isInteger(port) || port < 1 || port > 65535) throw invalid("port", `must be 1 to 65535, got ${port}`);
    this.#requireHost("host", host);
    const time = new TimeLimit(host, timeoutMilliseconds, signal);
    try {
      const peer = { host, port, tls: tls === true ? {} : tls || undefined };
      return new LimitedConnection(await this.#transport.connect(peer, time.signal), host, maxBytes, time);
    } catch (error) {
      time.end();
      throw time.errorOf(error);
    }
  }

  async requireHost(field: string, text: string, signal: AbortSignal): Promise<void> {
    const host = asciiHost(text.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, ""));
    if (host === undefined) {
      throw invalid(field, `must be a host name or an IP address, got "${text.slice(0, 60)}"`);
    }
    if (!this.#hosts.isEmpty) this.#requireHost(field, host);
    const time = AbortSignal.any([signal, AbortSignal.timeout(RESOLVE_MILLISECONDS)]);
    await this.#transport.requireAddresses(field, host, time);
  }

  #requireHost(field: string, host: string): void {
    const { isEmpty } = this.#hosts;
    if (isEmpty ? this.#transport.checksAddresses : this.#hosts.includes(host)) return;
    throw invalid(field, `"${host}" is not in outbound.hosts`);
  }
}

/** Returns a host as {@link asciiHost} does, without the dot at its end. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Returns the response with a body that cannot exceed its limits, and ends the time when the body has ended. */
function bounded(url: URL, response: Response, maxBytes: number, time: TimeLimit): Response {
  const { status, statusText, headers, body } = response;
  const isEmpty = body === null || WITHOUT_BODY.has(status);
  if (!isEmpty && Number(headers.get("content-length")) > maxBytes) {
    void body.cancel().catch(() => {});
    throw tooLarge(url.host, maxBytes);
  }
  if (isEmpty) time.end();
  const limited = isEmpty ? null : limitedStream(body, {
    host: url.host,
    maxBytes,
    errorOf: (error) => time.errorOf(error),
    ended: () => time.end(),
  });
  const result = new Response(limited, { status, statusText, headers });
  Object.defineProperty(result, "url", { value: url.href });
  return result;
}
