import type { Call } from "../base/call.ts";
import { type Contract, defineContract } from "../base/contract.ts";
import type { NodeMessage } from "./node_stream.ts";

/** What nodes are told of what is new for them. */
export interface NodeNews {
  /** What tells a node that there is news of these types. */
  message(types: readonly string[]): Pick<NodeMessage, "code" | "dataJSON">;
  /** How often it is looked for, in milliseconds. */
  readonly everyMilliseconds: number;
  /**
   * For each node the types of news that it gets, each with a text that changes with what the node must learn of; none
   * for a node that is gone, whose streams end.
   */
  versions(call: Call, nodeIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NewsVersions>>;
}

/** A text for each type of news. */
export type NewsVersions = ReadonlyMap<string, string>;

/** A kind of node, as the plugin that keeps those nodes explains it. */
export interface NodeKind {
  /** The plugin's name. */
  readonly name: string;
  /** A stream of the node begins; by throwing it refuses it. Runs in the transaction that remembers the stream. */
  connected(call: Call, nodeId: bigint): Promise<void>;
  /** The last stream of the node ended, on whatever instance, or the instance that held it is gone. */
  disconnected(call: Call, nodeId: bigint): Promise<void>;
  readonly news?: NodeNews;
}

/** What comes of a command. */
export type NodeReply = Pick<NodeMessage, "isOk" | "message"> & Partial<NodeMessage>;

/** The streams of one kind of node. */
export interface NodeLinks {
  /** Serves the stream of the node that calls, until one of the two ends it. */
  serve(call: Call, requests: AsyncIterable<NodeMessage>): AsyncGenerator<NodeMessage>;
  /**
   * Sends a command to a node, on whatever instance it is connected, and waits for its answer. What keeps it from its
   * answer is one too, with `isOk` false.
   */
  ask(
    call: Call,
    nodeId: bigint,
    command: Pick<NodeMessage, "code" | "dataJSON">,
    milliseconds: number,
  ): Promise<NodeReply>;
}

/** The kernel's contract for streams between nodes and the instances of an installation. */
export interface NodeStreams {
  /** Called once by the plugin that keeps the nodes. */
  of(kind: NodeKind): NodeLinks;
}
export const NodeStreams: Contract<NodeStreams> = defineContract("kernel.node_streams");
