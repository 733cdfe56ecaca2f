import { create, fromBinary, toBinary, toJsonString } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { as, type TestKernel } from "edgehelm/testing";
import { zlibCodings } from "../../core/host/listen/message_codings.ts";
import { Http2Server } from "../../core/net/http2/server.ts";
import { decodeBase64 } from "../../core/protobuf/json/base64.ts";
import { Health } from "../../core/transports/grpc/health.ts";
import { messagePrefix } from "../../core/transports/grpc/message_reader.ts";
import { GrpcService } from "../../core/transports/grpc/service.ts";
import { StatusSchema } from "../../proto/google/rpc/status_pb.ts";
import { ProbeRequestSchema, ProbeResponseSchema } from "../fixtures/probe/proto/probe_pb.ts";
import { concatBytes, type Frame, frameBytes, grpcRequest, Http2Client } from "../harness/http2_client.ts";

export const PATH = "/edgehelm.test.probe.ProbeService";
export const ALL_WIRES = ["http", "connect", "grpcweb", "grpc"] as const;
export type RawWire = (typeof ALL_WIRES)[number];
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A response as it was on the wire. */
export interface Reply {
  readonly headers: ReadonlyMap<string, string>;
  readonly trailers: ReadonlyMap<string, string>;
  /** The message in JSON, or the error: its code is a number of gRPC, or that of the envelope. */
  readonly text: string;
  readonly code: number | string;
  readonly details: readonly Any[];
  /** The bytes of the body. */
  readonly body: Uint8Array;
}

/** Sends `{ text }` to a method of the probe over a wire, as an admin. */
export async function send(
  edgehelm: TestKernel,
  wire: RawWire,
  text: string,
  fields: Fields = {},
  method = "look",
): Promise<Reply> {
  const token = (await edgehelm.token(as.admin()))!;
  if (wire === "grpc") return await overGrpc(edgehelm, token, text, fields, method);
  const headers = new Headers({ "x-cloud-access-token": token });
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one);
  }
  const post = (path: string, type: string, body: BodyInit) => {
    if (!headers.has("content-type")) headers.set("content-type", type);
    return edgehelm.fetch(new Request(`http://edgehelm.test${path}`, { method: "POST", headers, body }));
  };
  const json = toJsonString(ProbeRequestSchema, create(ProbeRequestSchema, { text }));
  if (wire === "grpcweb") {
    const response = await post(`${PATH}/${method}`, "application/grpc-web+proto", framed(text));
    return grpcWebReply(response.headers, new Uint8Array(await response.arrayBuffer()));
  }
  const path = wire === "http" ? `/ProbeService/${method}` : `${PATH}/${method}`;
  return await jsonReply(await post(path, "application/json", json));
}

/** Returns a request in an envelope. */
export function framed(text: string): Uint8Array<ArrayBuffer> {
  const bytes = toBinary(ProbeRequestSchema, create(ProbeRequestSchema, { text }));
  return concatBytes([messagePrefix(false, bytes.length), bytes]) as Uint8Array<ArrayBuffer>;
}

async function jsonReply(response: Response): Promise<Reply> {
  const body = new Uint8Array(await response.arrayBuffer());
  const json = JSON.parse(new TextDecoder().decode(body));
  const headers = new Map([...response.headers].filter(([name]) => !name.startsWith("trailer-")));
  const trailers = new Map(
    [...response.headers].flatMap(([name, value]) => name.startsWith("trailer-") ? [[name.slice(8), value]] : []),
  );
  const { code = 0, details = [], message } = json;
  const text = code === 0 ? json.text : code === 200 ? json.data.text : message;
  return { headers, trailers, text, code: code === 200 ? 0 : code, details: details.map(anyOf), body };
}

function anyOf({ type, value }: { type: string; value: string }): Any {
  return { $typeName: "google.protobuf.Any", typeUrl: `type.googleapis.com/${type}`, value: decodeBase64(value)! };
}

/** Reads the envelopes of a body of gRPC-Web. */
export function grpcWebReply(headers: Headers, body: Uint8Array): Reply {
  let message: Uint8Array | undefined;
  let trailers = new Map<string, string>();
  for (let at = 0; at < body.length;) {
    const length = new DataView(body.buffer, body.byteOffset + at).getUint32(1);
    const bytes = body.subarray(at + 5, at + 5 + length);
    if (body[at] === 0) message = bytes;
    else if (body[at] === 0x80) trailers = textFields(new TextDecoder().decode(bytes));
    at += 5 + length;
  }
  return grpcReply(new Map(headers), trailers, message, body);
}

function textFields(text: string): Map<string, string> {
  return new Map(
    text.trim().split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function grpcReply(
  headers: ReadonlyMap<string, string>,
  trailers: ReadonlyMap<string, string>,
  message: Uint8Array | undefined,
  body: Uint8Array,
): Reply {
  const code = Number(trailers.get("grpc-status"));
  const status = trailers.get("grpc-status-details-bin");
  const details = status === undefined ? [] : fromBinary(StatusSchema, decodeBase64(status)!).details;
  const text = code === 0 && message !== undefined
    ? fromBinary(ProbeResponseSchema, message).text
    : decodeURIComponent(trailers.get("grpc-message") ?? "");
  return { headers, trailers, text, code, details, body };
}

async function overGrpc({ kernel }: TestKernel, token: string, text: string, fields: Fields, method: string) {
  const service = new GrpcService(kernel, {
    codings: zlibCodings,
    health: new Health(() => true),
    behindProxy: false,
  });
  const client = Http2Client.connect(new Http2Server(service, queueMicrotask));
  const list = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => [name, one] as const)
  );
  const own = grpcRequest(`${PATH}/${method}`, token).filter(([name]) => !(name in fields));
  client.headers(1, [...own, ...list]);
  client.send(frameBytes(0, 1, 1, framed(text)));
  let isLast = false;
  await client.until(({ streamId, type, flags }) => {
    if (streamId === 1 && type !== 9) isLast ||= (flags & 1) !== 0;
    return isLast && (type === 0 || (flags & 4) !== 0);
  });
  const frames = client.frames.filter(({ streamId }) => streamId === 1);
  const blocks = headerBlocks(frames).map((block) => {
    const { fields } = client.decoder.decode(block, 0, block.length);
    const values = Map.groupBy(fields, ({ name }) => name);
    return new Map([...values].map(([name, all]) => [name, all.map(({ value }) => value).join(", ")]));
  });
  const body = concatBytes(frames.filter(({ type }) => type === 0).map(({ payload }) => payload));
  client.close();
  return grpcReply(blocks[0]!, blocks.at(-1)!, body.length > 0 && body[0] === 0 ? body.subarray(5) : undefined, body);
}

/** Returns the header blocks, each of a HEADERS frame with its CONTINUATION frames. */
function headerBlocks(frames: readonly Frame[]): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (const { type, payload } of frames) {
    if (type === 1) blocks.push(payload);
    else if (type === 9) blocks.push(concatBytes([blocks.pop()!, payload]));
  }
  return blocks;
}
