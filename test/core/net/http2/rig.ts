import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { HTTP2_LIMITS, type Http2Limits } from "../../../../core/net/http2/limits.ts";
import { Http2Server } from "../../../../core/net/http2/server.ts";
import type { Http2Stream, StreamSink } from "../../../../core/net/http2/stream.ts";
import type { Http2Handler } from "../../../../core/net/http2/stream_table.ts";
import { FrameType } from "../../../../core/net/http2/protocol.ts";
import { concatBytes, type Fields, type Frame, Http2Client } from "../../../harness/http2_client.ts";

export const REQUEST: Fields = [[":method", "POST"], [":scheme", "http"], [":path", "/echo"]];
export const END_STREAM = 1;
export const END_HEADERS = 4;
export const ENDS = END_STREAM | END_HEADERS;

const HEADERS = encodeHeaderBlock([[":status", "200"]]);
const TRAILERS = encodeHeaderBlock([["grpc-status", "0"]]);

/** A test server with a record of its requests. */
export interface Rig {
  readonly server: Http2Server;
  /** The paths of all requests. */
  readonly paths: string[];
  /** The ids of aborted streams. */
  readonly aborted: number[];
  /** The streams of `/hold`, to which the test responds itself. */
  readonly held: Http2Stream[];
}

/**
 * Creates a server that echoes request bodies. `/large?<bytes>` returns a body of that size, `/hold` does not respond,
 * `/early` responds before the body arrives, and `/unread` never reads the body.
 */
export function rig(limits: Partial<Http2Limits> = {}): Rig {
  const rig = { paths: [] as string[], aborted: [] as number[], held: [] as Http2Stream[] };
  const handler: Http2Handler = {
    limits: { ...HTTP2_LIMITS, ...limits },
    notHttp2Response: new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"),
    open(stream, { path }) {
      rig.paths.push(path);
      if (path === "/early") {
        stream.respond(HEADERS, [], TRAILERS);
        return undefined;
      }
      return sinkOf(stream, path, rig);
    },
    refuseHeaders: (stream) => stream.sendTrailers(encodeHeaderBlock([[":status", "431"]])),
  };
  return { ...rig, server: new Http2Server(handler, queueMicrotask) };
}

function sinkOf(stream: Http2Stream, path: string, { aborted, held }: Omit<Rig, "server">): StreamSink {
  const parts: Uint8Array[] = [];
  return {
    data(bytes) {
      parts.push(bytes.slice());
      if (path === "/unread") return;
      if (!stream.hold(bytes.length)) return stream.reset(8);
      stream.consumed(bytes.length);
    },
    end() {
      if (path === "/hold") return void held.push(stream);
      const size = /^\/large\?(\d+)$/.exec(path)?.[1];
      stream.respond(HEADERS, size === undefined ? [concatBytes(parts)] : [new Uint8Array(Number(size))], TRAILERS);
      stream.release();
    },
    aborted() {
      aborted.push(stream.id);
      stream.release();
    },
    writable() {},
  };
}

/** Creates a server, and a client that has completed the handshake. */
export function greet(limits?: Partial<Http2Limits>, settings?: ArrayLike<number>): Rig & { client: Http2Client } {
  const newRig = rig(limits);
  return { ...newRig, client: Http2Client.connect(newRig.server, settings) };
}

/** Returns the fields of a request with changes: undefined removes a field. */
export function request(changes: Readonly<Record<string, string | undefined>> = {}): Fields {
  const fields = new Map<string, string | undefined>([...REQUEST, ...Object.entries(changes)]);
  return [...fields].flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const]);
}

/** Waits for the end of a stream and returns its body. */
export async function bodyOf(client: Http2Client, streamId: number): Promise<Uint8Array> {
  await ended(client, streamId);
  const data = client.frames.filter((frame) => frame.streamId === streamId && frame.type === FrameType.DATA);
  return concatBytes(data.map(({ payload }) => payload));
}

export function ended(client: Http2Client, streamId: number): Promise<Frame> {
  return client.until((frame) => frame.streamId === streamId && isLast(frame));
}

function isLast({ type, flags }: Frame): boolean {
  return (type === FrameType.DATA || type === FrameType.HEADERS) && (flags & END_STREAM) !== 0;
}

/** Waits for the end of the connection and returns the error code of its GOAWAY. */
export async function connectionError(client: Http2Client): Promise<number> {
  const { payload } = await client.until(({ type }) => type === FrameType.GOAWAY);
  await client.untilClosed();
  return new DataView(payload.buffer).getUint32(4);
}

/** Waits for the RST_STREAM of a stream and returns its error code. */
export async function streamError(client: Http2Client, streamId: number): Promise<number> {
  const { payload } = await client.until((frame) => frame.type === FrameType.RST_STREAM && frame.streamId === streamId);
  return new DataView(payload.buffer).getUint32(0);
}

/** Sends a request and waits for its response. */
export async function stillServes(client: Http2Client, streamId: number): Promise<void> {
  client.headers(streamId, REQUEST, ENDS);
  await ended(client, streamId);
}

export function uint32(value: number): number[] {
  return [value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255];
}
