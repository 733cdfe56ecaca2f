import { type Call, type Handlers, idField, listField, pageOf } from "edgehelm";
import { errors } from "./errors.ts";
import type { MessageService } from "./proto/service_message_pb.ts";
import type { MessageRow, MessageStore, Reader } from "./store.ts";

const MAX_IDS = 1000;

export function messageHandlers(messages: MessageStore): Handlers<typeof MessageService> {
  async function mark(call: Call, ids: readonly bigint[], isRead: boolean): Promise<void> {
    const reader = readerOf(call);
    for (const id of ids) {
      if (await messages.find.first(call, { ...reader, id }) === undefined) throw errors.not_found(id);
      const { role, readerId } = reader;
      await messages.mark.run(call, { role, readerId, messageId: id, isRead: isRead ? 1n : 0n });
    }
  }

  return {
    async countUnreadMessages({ includeRead }, call) {
      return await messages.count.one(call, { ...readerOf(call), includeRead: includeRead ? 1n : 0n });
    },

    async listUnreadMessages(request, call) {
      const includeRead = request.includeRead ? 1n : 0n;
      const rows = await messages.list.all(call, { ...readerOf(call), ...pageOf(request), includeRead });
      return { messages: rows.map(messageOf) };
    },

    async updateMessageRead({ messageId, isRead }, call) {
      await mark(call, [idField("messageId", messageId)], isRead);
      return {};
    },

    async updateMessagesRead({ messageIds, isRead }, call) {
      await mark(call, [...new Set(listField("messageIds", messageIds, idField, { max: MAX_IDS }))], isRead);
      return {};
    },

    async updateAllMessagesRead(_request, call) {
      const { role, readerId, userId } = readerOf(call);
      const newest = await messages.newestId.first(call, { userId });
      await messages.markThrough.run(call, { role, readerId, readThrough: newest?.id ?? 0n });
      await messages.clearReads.run(call, { role, readerId });
      return {};
    },
  };
}

/** Returns the reader who sends a call, which roles limit to admins and users. */
function readerOf({ caller }: Call): Reader {
  if (caller.role === "admin") {
    const { isSuper, modules } = caller.access;
    const seesAll = isSuper ? 1n : 0n;
    return { role: "admin", readerId: caller.adminId, userId: 0n, seesAll, modules: JSON.stringify(modules) };
  }
  if (caller.role !== "user") throw new Error(`messages for the role "${caller.role}"`);
  return { role: "user", readerId: caller.userId, userId: caller.userId, seesAll: 1n, modules: "[]" };
}

/** Returns a message as responses contain it. */
function messageOf(row: MessageRow & { readonly isRead: bigint }) {
  const { id, type, subject, body, level, createdAt, role, nodeClusterId, nodeId } = row;
  return {
    ...{ id, type, subject, body, level, createdAt, role },
    paramsJSON: new TextEncoder().encode(row.paramsJSON),
    isRead: row.isRead === 1n,
    ...nodeClusterId !== 0n && { nodeCluster: { id: nodeClusterId } },
    ...nodeId !== 0n && { node: { id: nodeId } },
  };
}
