import type { Call } from "edgehelm";
import type { NodeMessage } from "./contract.ts";

/** The number of messages that may be queued for a node. */
const MAX_QUEUED = 1024;

/** A connected node, with its queue of outgoing messages and the commands that wait for a response. */
export class NodeConnection {
  readonly nodeId: bigint;
  /** The versions that the node was last notified of; see NodeNews. */
  versions: ReadonlyMap<string, string> | undefined;
  readonly #outbox: NodeMessage[] = [];
  readonly #pending = new Map<bigint, (response: NodeMessage) => void>();
  #wake: (() => void) | undefined;
  #closed = false;
  #nextRequestId = 1n;

  constructor(nodeId: bigint) {
    this.nodeId = nodeId;
  }

  /** Queues a message. Returns false if the queue is full or the connection closed. */
  push(message: Pick<NodeMessage, "code"> & Partial<NodeMessage>): boolean {
    if (this.#closed || this.#outbox.length >= MAX_QUEUED) return false;
    this.#outbox.push({ ...EMPTY, ...message });
    this.#wake?.();
    return true;
  }

  /** Yields the queued messages until the connection is closed. */
  async *#outgoing(): AsyncGenerator<NodeMessage> {
    while (!this.#closed) {
      const message = this.#outbox.shift();
      if (message !== undefined) yield message;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /**
   * Sends a command and waits for the response with the same request id.
   *
   * @returns undefined after the timeout; a response with `isOk` false if the node disconnects
   * @throws NodeBusyError if the queue is full
   */
  async send(command: Pick<NodeMessage, "code" | "dataJSON">, milliseconds: number) {
    const requestId = this.#nextRequestId++;
    const { promise, resolve } = Promise.withResolvers<NodeMessage | undefined>();
    this.#pending.set(requestId, resolve);
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    try {
      if (!this.push({ ...command, requestId })) throw new NodeBusyError();
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(requestId);
    }
  }

  /** Sends queued messages and receives responses, until the node, its call or the connection ends. */
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

  /** Receives responses to commands. A broken stream ends the connection and is not an error. */
  async #receive(requests: AsyncIterable<NodeMessage>): Promise<void> {
    try {
      for await (const message of requests) this.#pending.get(message.requestId)?.(message);
    } catch {
      return;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wake?.();
    for (const [requestId, resolve] of this.#pending) {
      resolve({ ...EMPTY, requestId, message: `node '${this.nodeId}' disconnected` });
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

/** Thrown if the queue of a node is full. */
export class NodeBusyError extends Error {
  override readonly name = "NodeBusyError";
}
