import { toJsonString } from "@bufbuild/protobuf";
import type { Call } from "edgehelm";
import { type EmittedEvent, type EventListener, eventText, type EventTexts } from "edgehelm/runtime";
import type { Users } from "../user/contract.ts";
import type { OwnerMail } from "./owner_mail.ts";
import type { MessageStore } from "./store.ts";

/** The fields of events that name a machine, with the role of the machine. */
const MACHINES = [["nodeId", "node"], ["nsNodeId", "dns"], ["reportNodeId", "report"]] as const;

/** Stores a message for admins about each event, and one for the user whom its object belongs to, who gets mail as well. */
export function messageListener(
  messages: MessageStore,
  language: keyof EventTexts,
  mail: OwnerMail | undefined,
  users: Users | undefined,
): EventListener {
  return {
    name: "message",
    async handle(call, event) {
      const { kind, userId } = event;
      await store(call, event, 0n);
      if (!kind.isForOwner || userId === 0n) return;
      // an event may be delivered after its owner was deleted, whose messages are deleted already
      if (users !== undefined && !(await users.summaries(call, [userId])).has(userId)) return;
      await store(call, event, userId);
      await mail?.(call, userId, eventText(event, language));
    },
  };

  async function store(call: Call, event: EmittedEvent, userId: bigint): Promise<void> {
    const { kind, createdAt, data } = event;
    const machine = MACHINES.find(([field]) => idIn(event, field) !== 0n);
    const [field, role] = machine ?? ["", ""];
    await messages.insert.run(call, {
      userId,
      modules: JSON.stringify(userId === 0n ? kind.modules : []),
      type: kind.name,
      level: kind.level,
      ...eventText(event, language),
      paramsJSON: toJsonString(kind.data, data),
      role,
      nodeClusterId: idIn(event, "nodeClusterId"),
      nodeId: role === "node" ? idIn(event, field) : 0n,
      createdAt,
    });
  }
}

/** Returns the id in a field of an event; 0 if it has none. */
function idIn({ data }: EmittedEvent, field: string): bigint {
  const value = (data as unknown as Readonly<Record<string, unknown>>)[field];
  return typeof value === "bigint" ? value : 0n;
}
