import type { Call } from "../base/call.ts";

/** What goes between a node and the server, in both directions; a service's own message names the node besides. */
export interface NodeMessage {
  readonly requestId: bigint;
  readonly timeoutSeconds: number;
  readonly code: string;
  readonly dataJSON: Uint8Array;
  readonly isOk: boolean;
  readonly message: string;
}

/** A node that reads so slowly gets no more. */
const MAX_WAITING = 1024;

/** A node that is connected: what waits to be sent to it, and who waits for its answers. */
export class NodeConnection {
  readonly nodeId: bigint;
  /** What the node was last told of; see NodeNews. */
  versions: ReadonlyMap<string, string> | undefined;
  readonly #outbox: NodeMessage[] = [];
  readonly #replies = new Map<bigint, (reply: NodeMessage) => void>();
  #wake: (() => void) | undefined;
  #closed = false;
  #nextRequestId = 1n;

  constructor(nodeId: bigint) {
    this.nodeId = nodeId;
  }

  /** Puts a message in line; false when too many wait already. */
  push(message: Pick<NodeMessage, "code"> & Partial<NodeMessage>): boolean {
    if (this.#closed || this.#outbox.length >= MAX_WAITING) return false;
    this.#outbox.push({ ...EMPTY, ...message });
    this.#wake?.();
    return true;
  }

  /** What is to be sent, as it comes, until the connection is closed. */
  async *#outgoing(): AsyncGenerator<NodeMessage> {
    while (!this.#closed) {
      const message = this.#outbox.shift();
      if (message !== undefined) yield message;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /**
   * Sends a command and waits for the answer with its number.
   *
   * @returns undefined when none came in time; a failure when the node goes away meanwhile
   * @throws NodeBusy
   */
  async ask(command: Pick<NodeMessage, "code" | "dataJSON">, milliseconds: number) {
    const requestId = this.#nextRequestId++;
    const { promise, resolve } = Promise.withResolvers<NodeMessage | undefined>();
    this.#replies.set(requestId, resolve);
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    try {
      if (!this.push({ ...command, requestId })) throw new NodeBusy();
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#replies.delete(requestId);
    }
  }

  /** Gives what is for the node and takes what it sends, until it stops, its call ends or the connection is closed. */
  async *exchange(call: Call, requests: AsyncIterable<NodeMessage>): AsyncGenerator<NodeMessage> {
    const close = () => this.close();
    call.signal.addEventListener("abort", close);
    try {
      void this.#receive(requests).finally(close);
      yield* this.#outgoing();
    } finally {
      call.signal.removeEventListener("abort", close);
      close();
    }
  }

  /** Takes answers to commands, if somebody still waits for them. That the stream breaks is no fault of ours. */
  async #receive(requests: AsyncIterable<NodeMessage>): Promise<void> {
    try {
      for await (const message of requests) this.#replies.get(message.requestId)?.(message);
    } catch {
      return;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wake?.();
    for (const [requestId, reply] of this.#replies) {
      reply({ ...EMPTY, requestId, message: `node '${this.nodeId}' disconnected` });
    }
  }
}

const EMPTY: NodeMessage = {
  requestId: 0n,
  timeoutSeconds: 0,
  code: "",
  dataJSON: new Uint8Array(),
  isOk: false,
  message: "",
};

/** Too much waits to be sent to a node. */
export class NodeBusy extends Error {
  override readonly name = "NodeBusy";
}
