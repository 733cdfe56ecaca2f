import { type Call, type Contract, defineContract } from "edgehelm";

/** A message between a node and the server, in either direction. The messages of services also contain the node's id. */
export interface NodeMessage {
  readonly requestId: bigint;
  readonly timeoutSeconds: number;
  readonly code: string;
  readonly dataJSON: Uint8Array;
  readonly isOk: boolean;
  readonly message: string;
}

/** Notifies connected nodes of changes. This plugin polls for new versions and sends the messages. */
export interface NodeNews {
  /** Creates the message that notifies a node of news of these types. */
  message(types: readonly string[]): Pick<NodeMessage, "code" | "dataJSON">;
  /** The polling interval in milliseconds. */
  readonly everyMilliseconds: number;
  /** Has a function called after changes by this instance: nodes are notified of them before the next poll. */
  onChange?(listener: () => void): void;
  /**
   * Returns the current version of each type of news for each node. A node is notified when a version differs from the
   * previous poll. The streams of a node that is missing in the result are closed.
   */
  versions(call: Call, nodeIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NewsVersions>>;
}

/** The version of each type of news: any string that changes with every change that concerns the node. */
export type NewsVersions = ReadonlyMap<string, string>;

/** A kind of node, defined by the plugin that stores the nodes. */
export interface NodeKind {
  /** The name of the plugin. */
  readonly name: string;
  /** Called when a node opens a stream, in the transaction that records it. Throws to refuse the stream. */
  connected(call: Call, nodeId: bigint): Promise<void>;
  /**
   * Called when the last stream of a node on any instance has ended, also because its instance died. While the server
   * stops, it is called after the `onStop` functions of the plugin that stores the nodes.
   */
  disconnected(call: Call, nodeId: bigint): Promise<void>;
  /** The notifications for nodes of this kind, if there are any. */
  readonly news?: NodeNews;
}

/** The response to a command. If `isOk` is false, `message` is the error. */
export type NodeReply = Pick<NodeMessage, "isOk" | "message"> & Partial<NodeMessage>;

/** The streams of one kind of node. */
export interface NodeLinks {
  /** Serves the stream of the calling node until either side ends it. */
  serve(call: Call, requests: AsyncIterable<NodeMessage>): AsyncGenerator<NodeMessage>;
  /**
   * Sends a command to a node, on whichever instance it is connected, and waits for its response.
   *
   * @param milliseconds the time to wait for the response
   * @returns the response; one with `isOk` false if the node is not connected, disconnects or does not respond in time
   */
  ask(
    call: Call,
    nodeId: bigint,
    command: Pick<NodeMessage, "code" | "dataJSON">,
    milliseconds: number,
  ): Promise<NodeReply>;
}

/** Manages the streams between nodes and the instances of an installation. */
export interface NodeStreams {
  /** Registers a kind of node. The plugin that stores the nodes calls it once, during setup. */
  of(kind: NodeKind): NodeLinks;
}

/**
 * The contract for the streams of nodes.
 *
 * @example
 * ```ts
 * import { NodeStreams } from "../node_base/contract.ts";
 *
 * const links = deps.streams.of({
 *   name: "door",
 *   connected: (call, nodeId) => store.setActive.run(call, { id: nodeId, isActive: true }).then(() => {}),
 *   disconnected: (call, nodeId) => store.setActive.run(call, { id: nodeId, isActive: false }).then(() => {}),
 * });
 * const { isOk, message } = await links.ask(call, nodeId, { code: "ping", dataJSON: new Uint8Array() }, 5000);
 * ```
 */
export const NodeStreams: Contract<NodeStreams> = defineContract("node_base");
