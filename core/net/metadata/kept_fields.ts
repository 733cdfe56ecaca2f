/** Fields with credentials of callers, which plugins must never see. */
const CREDENTIALS = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-cloud-access-token",
  "x-edge-access-token",
  "edge-access-token",
];
/** Fields of one connection (RFC 9110, section 7.6.1), and of how a message is sent. */
const OF_CONNECTION = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "expect",
  "accept-encoding",
  "idempotency-key",
];
/** Response fields that the transports or the installation's settings decide. */
const OF_RESPONSES = [
  "alt-svc",
  "date",
  "idempotent-replayed",
  "proxy-authenticate",
  "retry-after",
  "server",
  "set-cookie",
  "strict-transport-security",
  "www-authenticate",
  "x-request-id",
];
const HIDDEN: ReadonlySet<string> = new Set([...CREDENTIALS, ...OF_CONNECTION]);
const UNSETTABLE: ReadonlySet<string> = new Set([...HIDDEN, ...OF_RESPONSES]);
const OF_PROTOCOLS = /^(?::|grpc-|connect-|content-|access-control-|sec-)/;

/** Returns true if plugins do not see a field of a request. */
export function isHidden(name: string): boolean {
  return HIDDEN.has(name) || OF_PROTOCOLS.test(name);
}

/** Returns true if plugins cannot set a field of a response. Trailers of unary Connect are headers with a prefix. */
export function isKept(name: string): boolean {
  return UNSETTABLE.has(name) || OF_PROTOCOLS.test(name) || name.startsWith("trailer-");
}
