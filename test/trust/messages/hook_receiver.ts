import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** The moment at which the sender of a request dies: before the request is taken, after that, or after the response was sent. */
export type KillPoint = "untaken" | "taken" | "responded";

/** A receiver of web hooks, which takes a message once however often it arrives. */
export class HookReceiver implements AsyncDisposable {
  readonly secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
  /** The number of times that each message arrived whole, by id, in the order of their first arrivals. */
  readonly arrivals = new Map<string, number>();
  /** The ids with which each subject arrived. */
  readonly idsOf = new Map<string, Set<string>>();
  /** The errors in requests. */
  readonly wrong: string[] = [];
  /** Is asked at each request whether to kill its sender, and when. */
  nextKill: () => KillPoint | undefined = () => undefined;
  kill = () => {};
  readonly #verifier = new Webhook(this.secret);
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<HookReceiver> {
    const receiver = new HookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    if (body === undefined) return;
    const point = this.nextKill();
    if (point !== "untaken") this.#take(request, body);
    if (point === "responded") response.once("finish", () => this.kill());
    else if (point !== undefined) return this.kill();
    response.writeHead(200).end("taken");
  }

  #take({ headers }: IncomingMessage, body: string): void {
    const id = String(headers["webhook-id"]);
    const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1000);
    // not verify(), which compares with the time of this machine: the clock of the server jumps
    const isSigned = this.#verifier.sign(id, sentAt, body) === headers["webhook-signature"];
    if (!isSigned) this.wrong.push(`the signature of ${id} is not valid`);
    const { data } = JSON.parse(body) as { readonly data: { readonly id: string; readonly subject: string } };
    if (data.id !== id) this.wrong.push(`${id} contains the id ${data.id}`);
    this.arrivals.set(id, (this.arrivals.get(id) ?? 0) + 1);
    this.idsOf.set(data.subject, (this.idsOf.get(data.subject) ?? new Set()).add(id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns the body of a request; undefined if its sender died. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  let text = "";
  try {
    for await (const chunk of request) text += chunk;
    return text;
  } catch {
    return undefined;
  }
}
