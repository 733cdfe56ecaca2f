import { head, RawClient } from "./raw_client.ts";

/** How a crowd of slow clients fared. */
export interface SlowCrowd {
  /** What each was told before it was closed. */
  readonly answers: readonly string[];
  /** How long the last one of each kind stayed connected. */
  readonly seconds: Readonly<Record<string, number>>;
}

const BODY = head("/APIAccessTokenService/getAPIAccessToken", { "content-length": 1000 });

/** Ways to be slow: a byte now and then of the headers or of a body, or nothing at all. */
const KINDS: Readonly<Record<string, { readonly first: string; readonly rest: string }>> = {
  silent: { first: "", rest: "" },
  headers: { first: "POST / HTTP/1.1\r\nhost: edgehelm.test\r\nx-slow: ", rest: "x" },
  body: { first: BODY, rest: " " },
};

/** Connects that many clients which are slow in turn, and waits until the server has closed every one. */
export async function slowCrowd(url: string, count: number, everyMilliseconds: number): Promise<SlowCrowd> {
  const kinds = Object.entries(KINDS);
  const seconds: Record<string, number> = {};
  const answers = await Promise.all(Array.from({ length: count }, async (_, index) => {
    const [name, { first, rest }] = kinds[index % kinds.length]!;
    const client = new RawClient(url).send(first);
    let connected = 0;
    client.socket.once("connect", () => connected = performance.now());
    if (rest !== "") client.trickle(rest, everyMilliseconds);
    const answer = await client.closed;
    seconds[name] = Math.max(seconds[name] ?? 0, (performance.now() - connected) / 1000);
    return answer;
  }));
  return { answers, seconds };
}
