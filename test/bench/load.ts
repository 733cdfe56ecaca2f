import { connect, type Socket } from "node:net";

/** What one load gave. */
export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  /** Answers whose body does not hold `expected`. */
  readonly wrong: number;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** How long to go on; the calls in flight at the end still count. */
  readonly milliseconds: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the nth call. */
  readonly body: (call: number) => string;
  /** What every answer must contain. */
  readonly expected: string;
}

/**
 * HTTP/1.1 POSTs over keep-alive connections, one call in flight on each. Written on sockets, so that the client costs
 * little beside the server that is measured.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const started = performance.now();
  const until = started + load.milliseconds;
  const tally = { calls: 0, sent: 0, wrong: 0 };
  await Promise.all(Array.from({ length: load.connections }, () => runConnection(load, tally, until)));
  return { calls: tally.calls, seconds: (performance.now() - started) / 1000, wrong: tally.wrong };
}

function runConnection(
  load: Load,
  tally: { calls: number; sent: number; wrong: number },
  until: number,
): Promise<void> {
  const head = `POST ${load.path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    Object.entries(load.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(load.port, "127.0.0.1");
    socket.setNoDelay(true);
    let received = "";

    function send(): void {
      const body = load.body(tally.sent++);
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    }

    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (!isWhole(received)) return;
      tally.calls++;
      if (!received.includes(load.expected)) tally.wrong++;
      received = "";
      if (performance.now() < until) return send();
      socket.end();
      resolve();
    });
  });
}

function isWhole(response: string): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(response.slice(0, end + 2))?.[1];
  return length === undefined ? response.endsWith("0\r\n\r\n") : response.length >= end + 4 + Number(length);
}
