/** What goes between a node and the server. */
export interface StreamMessage {
  readonly nsNodeId: bigint;
  readonly requestId: bigint;
  readonly timeoutSeconds: number;
  readonly code: string;
  readonly dataJSON: Uint8Array;
  readonly isOk: boolean;
  readonly message: string;
}

/** A node that reads so slowly gets no more. */
const MOST_WAITING = 1024;

/** A node that is connected: what waits to be sent to it, and who waits for its answers. */
export class Connection {
  readonly nodeId: bigint;
  readonly #outbox: StreamMessage[] = [];
  readonly #replies = new Map<bigint, (reply: StreamMessage) => void>();
  #wake: (() => void) | undefined;
  #closed = false;
  #nextRequestId = 1n;

  constructor(nodeId: bigint) {
    this.nodeId = nodeId;
  }

  /** Puts a message in line; false when too many wait already. */
  push(message: Pick<StreamMessage, "code"> & Partial<StreamMessage>): boolean {
    if (this.#closed || this.#outbox.length >= MOST_WAITING) return false;
    this.#outbox.push({ ...EMPTY, nsNodeId: this.nodeId, ...message });
    this.#wake?.();
    return true;
  }

  /** What is to be sent, as it comes, until the connection is closed. */
  async *outgoing(): AsyncGenerator<StreamMessage> {
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
   * @throws ConnectionFull
   */
  async ask(command: Pick<StreamMessage, "code" | "dataJSON">, milliseconds: number) {
    const requestId = this.#nextRequestId++;
    const { promise, resolve } = Promise.withResolvers<StreamMessage | undefined>();
    this.#replies.set(requestId, resolve);
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    try {
      if (!this.push({ ...command, requestId })) throw new ConnectionFull();
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#replies.delete(requestId);
    }
  }

  /** Takes what the node sent: the answer to a command, if somebody still waits for it. */
  receive(message: StreamMessage): void {
    this.#replies.get(message.requestId)?.({ ...message, nsNodeId: this.nodeId });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wake?.();
    for (const [requestId, reply] of this.#replies) {
      reply({ ...EMPTY, nsNodeId: this.nodeId, requestId, message: `node '${this.nodeId}' disconnected` });
    }
  }
}

const EMPTY: StreamMessage = {
  nsNodeId: 0n,
  requestId: 0n,
  timeoutSeconds: 0,
  code: "",
  dataJSON: new Uint8Array(),
  isOk: false,
  message: "",
};

/** Too much waits to be sent to a node. */
export class ConnectionFull extends Error {
  override readonly name = "ConnectionFull";
}

/** The nodes that are connected to this instance. */
export class Connections {
  readonly #byNode = new Map<bigint, Connection[]>();

  open(nodeId: bigint): Connection {
    const connection = new Connection(nodeId);
    this.#byNode.set(nodeId, [...this.#byNode.get(nodeId) ?? [], connection]);
    return connection;
  }

  /** Ends a connection; true when the node has no other one here. */
  close(connection: Connection): boolean {
    connection.close();
    const left = (this.#byNode.get(connection.nodeId) ?? []).filter((one) => one !== connection);
    if (left.length > 0) this.#byNode.set(connection.nodeId, left);
    else this.#byNode.delete(connection.nodeId);
    return left.length === 0;
  }

  /** The newest connection of a node. */
  of(nodeId: bigint): Connection | undefined {
    return this.#byNode.get(nodeId)?.at(-1);
  }

  /** Ends every connection of a node. */
  drop(nodeId: bigint): void {
    for (const connection of this.#byNode.get(nodeId) ?? []) connection.close();
  }
}
