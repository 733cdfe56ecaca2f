import type { NodeConnection } from "./node_stream.ts";
import type { NodeKind } from "./node_streams.ts";

/** A node's stream on this instance. */
export interface NodeSession {
  readonly id: string;
  readonly kind: NodeKind;
  readonly nodeId: bigint;
  readonly connection: NodeConnection;
}
