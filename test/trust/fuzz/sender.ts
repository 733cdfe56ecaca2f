import type { Target } from "../target/target.ts";
import { noOutcome, type Outcome } from "./outcome.ts";
import { type FuzzRequest, fuzzRequest, type FuzzScope } from "./fuzz_request.ts";
import { GrpcConnection } from "./grpc_connection.ts";
import { HttpConnection } from "./http_connection.ts";
import { SLOW_MILLISECONDS, type Tally } from "./tally.ts";

const WORKERS = 24;
const TRIES = 3;
const MAX_REPEATED = 50;
/** Well beyond the deadline of every call. */
const RESPONSE_MILLISECONDS = 60_000;

/** Two connections to the server, which are opened when they are needed. */
class Connections implements Disposable {
  readonly #http: HttpConnection;
  readonly #grpc: GrpcConnection;

  constructor({ httpPort, grpcPort }: Target) {
    this.#http = new HttpConnection(httpPort);
    this.#grpc = new GrpcConnection(grpcPort);
  }

  /** Sends a request. Without a response the outcome has the code `none`. */
  async send({ http, grpc }: FuzzRequest): Promise<Outcome> {
    const sent = http !== undefined ? this.#http.send(http) : this.#grpc.send(grpc!);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ended = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => {
        resolve(noOutcome("none", RESPONSE_MILLISECONDS));
        this[Symbol.dispose]();
      }, RESPONSE_MILLISECONDS);
    });
    const outcome = await Promise.race([sent, ended]);
    clearTimeout(timer);
    return outcome;
  }

  [Symbol.dispose](): void {
    this.#http.close();
    this.#grpc.close();
  }
}

/** Sends the requests with numbers from `first` to before `end`, many at once. Returns those with slow responses. */
export async function sendAll(
  target: Target,
  scope: FuzzScope,
  tally: Tally,
  seed: number,
  first: number,
  end: number,
): Promise<readonly FuzzRequest[]> {
  const slow: FuzzRequest[] = [];
  let next = first;
  await Promise.all(Array.from({ length: WORKERS }, async () => {
    using connections = new Connections(target);
    while (next < end && target.isAlive) {
      const request = fuzzRequest(scope, seed, next++);
      if (tally.add(request, await connections.send(request))) slow.push(request);
    }
  }));
  return slow;
}

/**
 * Sends requests again, one at a time. On a busy machine any response may be slow: a hang is one that is slow each time.
 */
export async function sendAlone(target: Target, requests: readonly FuzzRequest[], tally: Tally): Promise<void> {
  using connections = new Connections(target);
  for (const request of requests.slice(0, MAX_REPEATED)) {
    let fastest = Infinity;
    for (let count = 0; count < TRIES && fastest > SLOW_MILLISECONDS; count++) {
      fastest = Math.min(fastest, (await connections.send(request)).milliseconds);
    }
    if (fastest > SLOW_MILLISECONDS) tally.hang(request, fastest);
  }
}
