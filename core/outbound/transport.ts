import type { OutboundConnection, OutboundTls } from "../base/outbound.ts";

/** A request to one address, without redirects. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** The certificates of authorities to trust, as PEM. */
  readonly ca: string | undefined;
}

/** The peer of a connection, checked. */
export interface Peer {
  /** A host name in lower-case ASCII, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: OutboundTls | undefined;
}

/** The runtime's means of reaching other machines. It connects only to addresses that the guard lets pass. */
export interface Transport {
  /** True if this runtime resolves names itself, so that addresses are checked. */
  readonly checksAddresses: boolean;
  /** Sends a request and returns the response, also a redirect. The body fails when the signal aborts. */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<Response>;
  /** Opens a connection without limits, which the signal closes. */
  connect(peer: Peer, signal: AbortSignal): Promise<OutboundConnection>;
  /** Refuses, with an error that names the field, a host whose addresses it would not connect to. */
  requireAddresses(field: string, host: string, signal: AbortSignal): Promise<void>;
}
