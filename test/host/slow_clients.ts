import { head, RawClient } from "./raw_client.ts";

/** The result of a number of slow clients. */
export interface SlowClientsResult {
  /** The response that each client received before it was closed. */
  readonly responses: readonly string[];
  /** The maximum connection time of each kind, in seconds. */
  readonly seconds: Readonly<Record<string, number>>;
}

const BODY = head("/APIAccessTokenService/getAPIAccessToken", { "content-length": 1000 });

/** The kinds of slow clients: they send the headers or the body byte by byte, or nothing at all. */
const KINDS: Readonly<Record<string, { readonly first: string; readonly rest: string }>> = {
  silent: { first: "", rest: "" },
  headers: { first: "POST / HTTP/1.1\r\nhost: edgehelm.test\r\nx-slow: ", rest: "x" },
  body: { first: BODY, rest: " " },
};

/** Connects slow clients of all kinds and waits until the server has closed every connection. */
export async function connectSlowClients(
  url: string,
  count: number,
  intervalMilliseconds: number,
): Promise<SlowClientsResult> {
  const kinds = Object.entries(KINDS);
  const seconds: Record<string, number> = {};
  const responses = await Promise.all(Array.from({ length: count }, async (_, index) => {
    const [name, { first, rest }] = kinds[index % kinds.length]!;
    const client = new RawClient(url).send(first);
    let connected = 0;
    client.socket.once("connect", () => connected = performance.now());
    if (rest !== "") client.trickle(rest, intervalMilliseconds);
    const response = await client.closed;
    seconds[name] = Math.max(seconds[name] ?? 0, (performance.now() - connected) / 1000);
    return response;
  }));
  return { responses, seconds };
}
