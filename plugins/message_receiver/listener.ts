import type { Call } from "edgehelm";
import type { EmittedEvent, EventListener, EventText } from "edgehelm/runtime";
import type { MessageRecipients } from "../message_recipient/contract.ts";
import type { MessageTasks } from "../message_task/contract.ts";
import type { MessageReceiverStore } from "./store.ts";
import { edgeClusterOf, isAbout } from "./targets.ts";
import { typesOf } from "./types.ts";

export interface ListenerDeps {
  readonly receivers: MessageReceiverStore;
  readonly recipients: MessageRecipients;
  readonly tasks: MessageTasks;
  readonly textOf: (event: EmittedEvent) => EventText;
}

/** The recipients who are notified of one event, at most. */
const MAX_TOLD = 1000;

/** Queues a message to each recipient who is notified of an event. */
export function messageReceiverListener({ receivers, recipients, tasks, textOf }: ListenerDeps): EventListener {
  /** Returns the recipients of an event. As long as there are no receivers, all recipients hear of errors. */
  async function toldOf(call: Call, event: EmittedEvent): Promise<readonly bigint[]> {
    if (await receivers.any.first(call, {}) === undefined) {
      return event.kind.level === "error" ? await recipients.idsOfGroup(call, 0n, MAX_TOLD) : [];
    }
    const rows = (await receivers.ofTypes.all(call, { types: typesOf(event.kind) })).filter((row) =>
      isAbout(row, event)
    );
    const groupIds = new Set(rows.map((row) => row.messageRecipientGroupId).filter((id) => id !== 0n));
    const notified = new Set(rows.map((row) => row.messageRecipientId).filter((id) => id !== 0n));
    for (const groupId of groupIds) {
      for (const id of await recipients.idsOfGroup(call, groupId, MAX_TOLD)) notified.add(id);
    }
    return [...notified].slice(0, MAX_TOLD);
  }

  return {
    name: "message_receiver",
    async handle(call, event) {
      const ids = await toldOf(call, event);
      if (ids.length === 0) return;
      const { subject, body } = textOf(event);
      const isPrimary = event.kind.level === "error";
      const clusterId = edgeClusterOf(event);
      for (const { id, isReachable, nodeClusterIds } of (await recipients.summaries(call, ids)).values()) {
        const isOfCluster = clusterId === 0n || nodeClusterIds.length === 0 || nodeClusterIds.includes(clusterId);
        if (!isReachable || !isOfCluster) continue;
        const to = { messageRecipientId: id, messageMediaInstanceId: 0n, user: "" };
        await tasks.create(call, { ...to, subject, body, isPrimary });
      }
    },
  };
}
