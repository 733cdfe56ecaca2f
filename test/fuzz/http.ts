import { connect } from "node:net";
import type { DescMethod } from "@bufbuild/protobuf";
import { Random } from "../harness/random.ts";
import { HttpRequests, type WireRequest } from "./http_requests.ts";

/** The outcome of a number of malformed requests. */
export interface FuzzResult {
  /**
   * The number of responses by kind of request and code, such as `json 400`. `timeout` counts requests without a timely
   * response, most of which are incomplete, and `closed` connections that the server closed without a response.
   */
  readonly responses: Readonly<Record<string, number>>;
  /** The requests that caused an internal error, with the numbers that reproduce them. */
  readonly internalErrors: readonly { readonly number: number; readonly request: string; readonly response: string }[];
  /** The number of requests whose connection the server did not accept. */
  readonly unreachable: number;
}

export interface FuzzOptions {
  readonly url: string;
  readonly methods: readonly DescMethod[];
  readonly tokens: readonly (string | undefined)[];
  readonly seed: number;
  /** The first number, to reproduce certain requests. */
  readonly from?: number;
  readonly count: number;
  readonly connections?: number;
}

/** Sends malformed requests, each on a new connection, and counts the responses. */
export async function fuzzHttp(options: FuzzOptions): Promise<FuzzResult> {
  const { methods, tokens, seed, from = 0, count, connections = 16 } = options;
  const requests = new HttpRequests(methods, tokens);
  const port = Number(new URL(options.url).port);
  const responses: Record<string, number> = {};
  const internalErrors: { number: number; request: string; response: string }[] = [];
  let unreachable = 0;
  let next = from;

  async function work(): Promise<void> {
    while (next < from + count) {
      const number = next++;
      const request = requests.create(new Random(seed * 1_000_003 + number));
      const response = await exchange(port, request);
      if (response === undefined) {
        unreachable++;
        continue;
      }
      const code = codeOf(response);
      const key = `${request.kind} ${code}`;
      responses[key] = (responses[key] ?? 0) + 1;
      if (code === "500") {
        const text = new TextDecoder("latin1").decode(request.bytes.slice(0, 2000));
        internalErrors.push({ number, request: text, response: response.slice(0, 1000) });
      }
    }
  }

  await Promise.all(Array.from({ length: connections }, work));
  return { responses, internalErrors, unreachable };
}

const TIMEOUT = "timeout";
/** The time to wait for the response to a request that may be incomplete. */
const TIMEOUT_MILLISECONDS = 200;

/** Sends a request and returns the response, or undefined if the server does not accept the connection. */
function exchange(port: number, { bytes }: WireRequest): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let response = "";
    let isConnected = false;
    let isTimedOut = false;
    socket.on("connect", () => {
      isConnected = true;
      socket.write(bytes);
    });
    socket.on("data", (chunk) => {
      response += chunk.toString("latin1");
      if (isComplete(response)) socket.destroy();
    });
    // An incomplete request gets no response before the timeout of the server.
    const timer = setTimeout(() => {
      isTimedOut = true;
      socket.end();
    }, TIMEOUT_MILLISECONDS);
    socket.on("end", () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(isConnected ? response || (isTimedOut ? TIMEOUT : "") : undefined);
    });
  });
}

function isComplete(response: string): boolean {
  const start = response.lastIndexOf("HTTP/1.1 100 Continue\r\n\r\n");
  const rest = start === -1 ? response : response.slice(start + 25);
  const end = rest.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(rest.slice(0, end + 2))?.[1];
  if (length !== undefined) return rest.length >= end + 4 + Number(length);
  return !/\r\ntransfer-encoding: *chunked/i.test(rest.slice(0, end + 2)) || rest.endsWith("0\r\n\r\n");
}

/** Returns the code of the envelope, the gRPC-Web trailers, the Connect error or the HTTP status. */
function codeOf(response: string): string {
  if (response === "") return "closed";
  if (response === TIMEOUT) return response;
  const envelope = /\r\n\r\n\s*\{\s*"code": ?(\d+),/.exec(response)?.[1];
  if (envelope !== undefined) return envelope;
  const grpc = /grpc-status: *(\d+)/i.exec(response)?.[1];
  if (grpc !== undefined) return grpc === "13" || grpc === "2" ? "500" : `grpc ${grpc}`;
  const connectCode = /(?:\r\n\r\n|"error":)\{"code":"([a-z_]+)"/.exec(response)?.[1];
  if (connectCode !== undefined) return connectCode === "internal" || connectCode === "unknown" ? "500" : connectCode;
  return /HTTP\/1\.1 (\d+) (?!Continue)/.exec(response)?.[1] ?? "garbled";
}
