import type { MessageInitShape } from "@bufbuild/protobuf";
import { definePlugin } from "edgehelm";
import { defineEvent, type EventLevel, Events } from "edgehelm/runtime";
import type { TestKernel } from "edgehelm/testing";
import { DeleteNodeFromNodeClusterRequestSchema as DataSchema } from "../../../plugins/node/proto/service_node_pb.ts";

type Data = MessageInitShape<typeof DataSchema>;

const kind = (name: string, level: EventLevel, more: object = {}) =>
  defineEvent({
    name: `bell.${name}`,
    level,
    data: DataSchema,
    about: "nodeId",
    texts: {
      en: { subject: `node {nodeId} ${name}`, body: "in cluster {nodeClusterId}" },
      zh: { subject: `节点 {nodeId} ${name}`, body: "集群 {nodeClusterId}" },
    },
    ...more,
  });

/** Kinds of events: for super admins, for admins with the module `node`, and for the owner of the object, too. */
export const KINDS = {
  burned: kind("burned", "error"),
  rang: kind("rang", "warning", { modules: ["node"] }),
  sold: kind("sold", "info", { modules: ["finance"], isForOwner: true }),
};

/** A plugin that emits events when a test wants it. */
export class Bell {
  readonly #due: { readonly kind: keyof typeof KINDS; readonly data: Data; readonly userId: bigint }[] = [];

  readonly plugin = definePlugin({
    manifest: { name: "bell", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    requires: { events: Events },
    events: Object.values(KINDS),
    setup: ({ deps: { events }, every }) =>
      every({
        name: "ring",
        everySeconds: 3600,
        run: (call) =>
          call.transact(async (inner) => {
            for (const { kind, data, userId } of this.#due.splice(0)) {
              await events.emit(inner, KINDS[kind], data, userId);
            }
          }),
      }),
  });

  /** Emits an event, and waits until all listeners had it. */
  async ring(edgehelm: TestKernel, kind: keyof typeof KINDS, data: Data = {}, userId = 0n): Promise<void> {
    this.#due.push({ kind, data, userId });
    await edgehelm.kernel.runJob("bell.ring");
    await edgehelm.kernel.runJob("kernel.deliver_events");
  }
}
