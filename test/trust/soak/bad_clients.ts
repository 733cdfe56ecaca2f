import { connect } from "node:net";
import type { Wire } from "../../harness/wire.ts";
import { envelopeCode } from "../../harness/wire.ts";
import type { MixedLoad } from "./mixed_load.ts";

const PATH = "/NSDomainService/listNSDomains";
const RPC_PATH = "/pb.NSDomainService/listNSDomains";
const CONTENT_TYPES = { http: "application/json", connect: "application/proto", grpcweb: "application/grpc-web+proto" };
/** Over gRPC-Web, its first bytes say a length that is too large. */
const MALFORMED = new TextEncoder().encode('{"size": [[["');

/** Sends a message that cannot be read. */
export async function sendMalformed(load: MixedLoad, wire: Wire): Promise<void> {
  const token = load.objects.tokens.admin;
  if (wire === "grpc") {
    const { fields } = await load.wires.grpc.exchange(RPC_PATH, token, MALFORMED).catch(() => ({ fields: undefined }));
    // The connection may be replaced meanwhile.
    if (fields === undefined) return;
    const code = envelopeCode(Number(fields.get("grpc-status")));
    return load.ended("a malformed message over grpc", code, fields.get("grpc-message") ?? "", [400]);
  }
  const response = await fetch(load.server.url + (wire === "http" ? PATH : RPC_PATH), {
    method: "POST",
    headers: { "x-cloud-access-token": token, "content-type": CONTENT_TYPES[wire] },
    body: MALFORMED,
  });
  const text = await response.text();
  const code = wire === "http" ? JSON.parse(text).code : response.status;
  const status = Number(/grpc-status: ?(\d+)/i.exec(text)?.[1] ?? response.headers.get("grpc-status") ?? NaN);
  load.ended(`a malformed message over ${wire}`, Number.isNaN(status) ? code : envelopeCode(status), text, [400, 413]);
}

/** Connects, sends half a request and leaves. */
export function leaveInTheMiddle(load: MixedLoad, wire: Wire): Promise<void> {
  const { hostname, port } = new URL(wire === "grpc" ? load.server.grpcUrl : load.server.url);
  const head = `POST ${PATH} HTTP/1.1\r\nhost: edgehelm.test\r\nx-cloud-access-token: ${load.objects.tokens.admin}\r\n`;
  const half = wire === "grpc" ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0" : `${head}content-length: 100\r\n\r\n{"size"`;
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(half));
    socket.on("data", () => {});
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve());
    if (wire === "connect") socket.once("connect", () => socket.destroy());
  });
}
