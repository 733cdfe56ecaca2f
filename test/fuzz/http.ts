import { connect } from "node:net";
import type { DescMethod } from "@bufbuild/protobuf";
import { Random } from "../harness/random.ts";
import { HttpRequests, type WireRequest } from "./http_requests.ts";

/** What became of the requests. */
export interface FuzzResult {
  /**
   * Answers by kind of request and code: `json 400`. `given up` counts requests whose answer did not come soon, most of
   * which are not whole; `closed` those whose connection the server ended without one.
   */
  readonly answers: Readonly<Record<string, number>>;
  /** Requests that were answered as if the server were at fault, with the number that makes each again. */
  readonly internal: readonly { readonly number: number; readonly request: string; readonly answer: string }[];
  /** Requests that could not be sent, since the server did not take the connection. */
  readonly unreachable: number;
}

export interface FuzzOptions {
  readonly url: string;
  readonly methods: readonly DescMethod[];
  readonly tokens: readonly (string | undefined)[];
  readonly seed: number;
  /** The first number, to make some requests again. */
  readonly from?: number;
  readonly count: number;
  readonly connections?: number;
}

/** Sends malformed requests, each on a connection of its own, and reads what comes back. */
export async function fuzzHttp(options: FuzzOptions): Promise<FuzzResult> {
  const { methods, tokens, seed, from = 0, count, connections = 16 } = options;
  const requests = new HttpRequests(methods, tokens);
  const port = Number(new URL(options.url).port);
  const answers: Record<string, number> = {};
  const internal: { number: number; request: string; answer: string }[] = [];
  let unreachable = 0;
  let next = from;

  async function work(): Promise<void> {
    while (next < from + count) {
      const number = next++;
      const request = requests.make(new Random(seed * 1_000_003 + number));
      const answer = await exchange(port, request);
      if (answer === undefined) {
        unreachable++;
        continue;
      }
      const code = codeOf(answer);
      const key = `${request.kind} ${code}`;
      answers[key] = (answers[key] ?? 0) + 1;
      if (code === "500") {
        const text = new TextDecoder("latin1").decode(request.bytes.slice(0, 2000));
        internal.push({ number, request: text, answer: answer.slice(0, 1000) });
      }
    }
  }

  await Promise.all(Array.from({ length: connections }, work));
  return { answers, internal, unreachable };
}

const GIVEN_UP = "given up";
/** How long to wait for the answer to a request that may not be whole. */
const PATIENCE_MILLISECONDS = 200;

/** All that the server answers; undefined when it takes no connection. */
function exchange(port: number, { bytes }: WireRequest): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let answer = "";
    let isConnected = false;
    let isGivenUp = false;
    socket.on("connect", () => {
      isConnected = true;
      socket.write(bytes);
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
      if (isWhole(answer)) socket.destroy();
    });
    // A request that never comes whole is given up.
    const timer = setTimeout(() => {
      isGivenUp = true;
      socket.end();
    }, PATIENCE_MILLISECONDS);
    socket.on("end", () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(isConnected ? answer || (isGivenUp ? GIVEN_UP : "") : undefined);
    });
  });
}

function isWhole(answer: string): boolean {
  const start = answer.lastIndexOf("HTTP/1.1 100 Continue\r\n\r\n");
  const rest = start === -1 ? answer : answer.slice(start + 25);
  const end = rest.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(rest.slice(0, end + 2))?.[1];
  if (length !== undefined) return rest.length >= end + 4 + Number(length);
  return !/\r\ntransfer-encoding: *chunked/i.test(rest.slice(0, end + 2)) || rest.endsWith("0\r\n\r\n");
}

/** The code that the caller sees: that of the envelope, of gRPC-Web's trailers, of Connect's error, or HTTP's. */
function codeOf(answer: string): string {
  if (answer === "") return "closed";
  if (answer === GIVEN_UP) return answer;
  const envelope = /\r\n\r\n\s*\{\s*"code": ?(\d+),/.exec(answer)?.[1];
  if (envelope !== undefined) return envelope;
  const grpc = /grpc-status: *(\d+)/i.exec(answer)?.[1];
  if (grpc !== undefined) return grpc === "13" || grpc === "2" ? "500" : `grpc ${grpc}`;
  const connectCode = /(?:\r\n\r\n|"error":)\{"code":"([a-z_]+)"/.exec(answer)?.[1];
  if (connectCode !== undefined) return connectCode === "internal" || connectCode === "unknown" ? "500" : connectCode;
  return /HTTP\/1\.1 (\d+) (?!Continue)/.exec(answer)?.[1] ?? "garbled";
}
