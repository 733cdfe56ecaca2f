import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { HTTP2_LIMITS, type Http2Limits } from "../../../../core/net/http2/limits.ts";
import { Http2Server } from "../../../../core/net/http2/server.ts";
import type { Http2Stream, StreamSink } from "../../../../core/net/http2/stream.ts";
import type { Http2Handler } from "../../../../core/net/http2/stream_table.ts";
import { FrameType } from "../../../../core/net/http2/protocol.ts";
import { type Fields, type Frame, Http2Client, joined } from "../../../harness/http2_client.ts";

export const REQUEST: Fields = [[":method", "POST"], [":scheme", "http"], [":path", "/echo"]];
export const END_STREAM = 1;
export const END_HEADERS = 4;
export const ENDS = END_STREAM | END_HEADERS;

const HEADERS = encodeHeaderBlock([[":status", "200"]]);
const TRAILERS = encodeHeaderBlock([["grpc-status", "0"]]);

/** What a server of these tests was asked for, and what it still works at. */
export interface Rig {
  readonly server: Http2Server;
  /** Paths of the requests that began. */
  readonly paths: string[];
  /** Streams that were aborted. */
  readonly aborted: number[];
  /** Streams of `/hold`, which are answered when a test does it. */
  readonly held: Http2Stream[];
}

/**
 * A server that answers the body that it got; `/large?<bytes>` answers so many bytes, `/hold` nothing, `/early` before
 * the body comes, and `/unread` never reads what comes.
 */
export function rig(limits: Partial<Http2Limits> = {}): Rig {
  const rig = { paths: [] as string[], aborted: [] as number[], held: [] as Http2Stream[] };
  const handler: Http2Handler = {
    limits: { ...HTTP2_LIMITS, ...limits },
    foreignAnswer: new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"),
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
      stream.respond(HEADERS, size === undefined ? [joined(parts)] : [new Uint8Array(Number(size))], TRAILERS);
      stream.release();
    },
    aborted() {
      aborted.push(stream.id);
      stream.release();
    },
    writable() {},
  };
}

/** A client that has shaken hands with a new server. */
export function greet(limits?: Partial<Http2Limits>, settings?: ArrayLike<number>): Rig & { client: Http2Client } {
  const made = rig(limits);
  return { ...made, client: Http2Client.greeted(made.server, settings) };
}

/** The request fields with some of them replaced (undefined: left out) or added. */
export function request(changes: Readonly<Record<string, string | undefined>> = {}): Fields {
  const fields = new Map<string, string | undefined>([...REQUEST, ...Object.entries(changes)]);
  return [...fields].flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const]);
}

/** The body that came on a stream, once it ended. */
export async function bodyOf(client: Http2Client, streamId: number): Promise<Uint8Array> {
  await ended(client, streamId);
  const own = client.frames.filter((frame) => frame.streamId === streamId && frame.type === FrameType.DATA);
  return joined(own.map(({ payload }) => payload));
}

export function ended(client: Http2Client, streamId: number): Promise<Frame> {
  return client.until((frame) => frame.streamId === streamId && isLast(frame));
}

function isLast({ type, flags }: Frame): boolean {
  return (type === FrameType.DATA || type === FrameType.HEADERS) && (flags & END_STREAM) !== 0;
}

/** The error code of the GOAWAY that ends the connection. */
export async function connectionError(client: Http2Client): Promise<number> {
  const { payload } = await client.until(({ type }) => type === FrameType.GOAWAY);
  await client.untilClosed();
  return new DataView(payload.buffer).getUint32(4);
}

/** The error code of the RST_STREAM of a stream. */
export async function streamError(client: Http2Client, streamId: number): Promise<number> {
  const { payload } = await client.until((frame) => frame.type === FrameType.RST_STREAM && frame.streamId === streamId);
  return new DataView(payload.buffer).getUint32(0);
}

/** Proves that the connection still works. */
export async function stillServes(client: Http2Client, streamId: number): Promise<void> {
  client.headers(streamId, REQUEST, ENDS);
  await ended(client, streamId);
}

export function uint32(value: number): number[] {
  return [value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255];
}
