import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { type Call, distinct } from "edgehelm";
import { NodeSchema } from "edgehelm/proto/models/node_pb.js";
import type { Nodes } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import { writeLog } from "./log_bytes.ts";
import { logFields } from "./contract/log_fields.ts";
import type { LogEntry } from "./contract/log_store.ts";

/** Field numbers of ListHTTPAccessLogsResponse and FindHTTPAccessLogResponse. */
const LIST_FIELDS = { requestId: 2, hasMore: 3, httpAccessLogs: 4 } as const;
const FOUND_LOG_FIELD = 1;

export interface ListResponse {
  readonly entries: readonly LogEntry[];
  readonly requestId: string;
  readonly hasMore: boolean;
}

/** Encodes responses: logs byte for byte as they were received, each with its node and the node's cluster. */
export class LogResponses {
  readonly #nodes: Nodes | undefined;
  readonly #clusters: NodeClusters | undefined;

  constructor(nodes: Nodes | undefined, clusters: NodeClusters | undefined) {
    this.#nodes = nodes;
    this.#clusters = clusters;
  }

  async list(call: Call, { entries, requestId, hasMore }: ListResponse): Promise<Uint8Array> {
    const writer = new BinaryWriter();
    if (requestId !== "") writer.tag(LIST_FIELDS.requestId, 2).string(requestId);
    if (hasMore) writer.tag(LIST_FIELDS.hasMore, 0).bool(true);
    await this.#write(call, writer, LIST_FIELDS.httpAccessLogs, entries);
    return writer.finish();
  }

  async found(call: Call, entry: LogEntry | undefined): Promise<Uint8Array> {
    const writer = new BinaryWriter();
    if (entry !== undefined) await this.#write(call, writer, FOUND_LOG_FIELD, [entry]);
    return writer.finish();
  }

  async #write(call: Call, writer: BinaryWriter, field: number, entries: readonly LogEntry[]): Promise<void> {
    const nodeIds = entries.map(({ log }) => logFields(log).nodeId);
    const clusterIds = distinct(entries.map(({ nodeClusterId }) => nodeClusterId)).filter((id) => id !== 0n);
    const clusterOf = clusterIds.length === 0 ? undefined : await this.#clusters?.summaries(call, clusterIds);
    const nodeOf = await this.#nodes?.summaries(call, distinct(nodeIds));
    const encoded = new Map<string, Uint8Array>();
    for (const [index, entry] of entries.entries()) {
      const id = nodeIds[index]!;
      const { nodeClusterId } = entry;
      const key = `${id} ${nodeClusterId}`;
      let node = encoded.get(key);
      if (node === undefined) {
        const nodeCluster = { id: nodeClusterId, name: clusterOf?.get(nodeClusterId)?.name ?? "" };
        node = toBinary(NodeSchema, create(NodeSchema, { id, name: nodeOf?.get(id)?.name ?? "", nodeCluster }));
        encoded.set(key, node);
      }
      writeLog(writer, field, entry, node);
    }
  }
}
