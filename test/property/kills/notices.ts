import type { Act } from "./protocol.ts";
import type { ServerProcess } from "./server_process.ts";

/** The payment service: it repeats each notice until the server responds, as such services do. */
export class PaymentService {
  /** The notices without a response. */
  readonly #open = new Map<string, Act>();
  /** The events with a response. */
  readonly told = new Set<string>();
  readonly #secret: string;
  #next = 1;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Tells about a payment. */
  async tell(server: ServerProcess, type: string, orderCode: string, amount: string, refundCode = ""): Promise<void> {
    const id = `event-${this.#next++}`;
    const data = { orderCode, amount, currency: "EUR", refundCode };
    const body = JSON.stringify({ type: `payment.${type}`, data });
    this.#open.set(id, { kind: "notice", id, secret: this.#secret, body });
    await this.#send(server, id);
  }

  /** Repeats notices without a response. */
  async repeat(server: ServerProcess): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.#send(server, id);
  }

  async #send(server: ServerProcess, id: string): Promise<void> {
    const act = this.#open.get(id);
    if (act === undefined) return;
    const { result } = await server.send(act) as { result?: string };
    if (result === undefined) return;
    this.#open.delete(id);
    this.told.add(id);
  }
}
