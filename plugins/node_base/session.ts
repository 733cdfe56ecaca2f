import type { NodeConnection } from "./connection.ts";
import type { NodeKind } from "./contract.ts";

/** A node's stream on this instance. */
export interface NodeSession {
  readonly id: string;
  readonly kind: NodeKind;
  readonly nodeId: bigint;
  readonly connection: NodeConnection;
}
