import { connect, type Socket } from "node:net";

/** What one load gave. */
export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  /** Answers that do not hold `expected`. */
  readonly wrong: number;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** How long to go on; the calls in flight at the end still count. */
  readonly milliseconds: number;
  /** POST unless told. */
  readonly method?: "GET" | "POST";
  /** The path of every call, or of the nth. */
  readonly path: string | ((call: number) => string);
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the nth call. */
  readonly body: (call: number) => string;
  /** What every answer must contain, its status line and headers included. */
  readonly expected: string;
}

/**
 * HTTP/1.1 calls over keep-alive connections, one in flight on each. A server that closes a connection is connected to
 * again. Written on sockets, so that the client costs little beside the server that is measured.
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
  const { method = "POST", path } = load;
  const head = ` HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    Object.entries(load.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return new Promise((resolve, reject) => {
    let socket: Socket;
    let received = "";
    let isDone = false;

    function open(): void {
      const own = socket = connect(load.port, "127.0.0.1");
      own.setNoDelay(true);
      own.on("connect", send);
      own.on("error", reject);
      own.on("data", (chunk) => {
        if (own === socket) take(chunk.toString("latin1"));
      });
      own.on("close", () => {
        if (own === socket && !isDone) reject(new Error("the server closed a connection within an answer"));
      });
    }

    function send(): void {
      const call = tally.sent++;
      const body = load.body(call);
      socket.write(
        `${method} ${typeof path === "string" ? path : path(call)}${head}content-length: ${body.length}\r\n\r\n${body}`,
        // What is sent is ASCII, which this way is not looked through first.
        "latin1",
      );
    }

    function take(text: string): void {
      received += text;
      if (!isWhole(received)) return;
      tally.calls++;
      if (!received.includes(load.expected)) tally.wrong++;
      const isClosing = /\r\nconnection: *close/i.test(received.slice(0, received.indexOf("\r\n\r\n") + 2));
      received = "";
      isDone = performance.now() >= until;
      if (!isDone && !isClosing) return send();
      const last = socket;
      if (isDone) resolve();
      else open();
      last.end();
    }

    open();
  });
}

function isWhole(response: string): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end === -1) return false;
  if (/^HTTP\/1\.\d (204|304)/.test(response)) return true;
  const length = /\r\ncontent-length: *(\d+)/i.exec(response.slice(0, end + 2))?.[1];
  return length === undefined ? response.endsWith("0\r\n\r\n") : response.length >= end + 4 + Number(length);
}
