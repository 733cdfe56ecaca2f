import type { NodeConnection } from "./node_stream.ts";
import type { NodeKind } from "./node_streams.ts";

/** A stream that this instance holds. */
export interface NodeSession {
  readonly id: string;
  readonly kind: NodeKind;
  readonly nodeId: bigint;
  readonly connection: NodeConnection;
}
