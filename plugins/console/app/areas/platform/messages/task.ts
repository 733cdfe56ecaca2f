import type { ListPage } from "../../../parts/lists/loaded_list.tsx";
import { callPath } from "../../../shell/call.ts";
import { TASKS } from "./paths.ts";

/** The states of a message, in the order of their numbers. */
export const TASK_STATES = ["waiting", "sending", "sent", "failed"] as const;
export type TaskState = typeof TASK_STATES[number];

export const TASK_KINDS = { waiting: "idle", sending: "warn", sent: "ok", failed: "bad" } as const;

/** A message of the queue. */
export interface Task {
  readonly id: bigint;
  readonly messageRecipient?: {
    readonly id: bigint;
    readonly admin?: { readonly username: string; readonly fullname: string };
  };
  readonly user: string;
  readonly subject: string;
  readonly body: string;
  readonly createdAt: bigint;
  readonly status: number;
  readonly sentAt: bigint;
  /** The attempts so far. */
  readonly attempts: number;
  /** The time of the next one; 0 if it is sent at once, or not at all. */
  readonly nextAttemptAt: bigint;
  readonly result?: { readonly error: string; readonly response: string };
  readonly messageMediaInstance?: { readonly name: string };
}

export function stateOf({ status }: Task): TaskState {
  return TASK_STATES[status] ?? "waiting";
}

/** The person who gets a message; undefined if it goes to an address only. */
export function personOf({ messageRecipient }: Task): string | undefined {
  const { fullname = "", username = "" } = messageRecipient?.admin ?? {};
  return fullname || username || undefined;
}

/** Loads the messages in a state: those that are sent first come first. */
export async function loadTasks(
  state: TaskState,
  offset: number,
  size: number,
  signal?: AbortSignal,
): Promise<ListPage<Task>> {
  const status = TASK_STATES.indexOf(state);
  const [list, { count }] = await Promise.all([
    callPath(TASKS.list, { status, offset: BigInt(offset), size: BigInt(size) }, signal),
    callPath(TASKS.count, { status }, signal),
  ]);
  return { rows: list["messageTasks"] as readonly Task[], total: count as bigint };
}

/** Counts the messages in each state. */
export async function countTasks(signal?: AbortSignal): Promise<Readonly<Record<TaskState, bigint>>> {
  const counts = await Promise.all(TASK_STATES.map(async (state, status) => {
    return [state, (await callPath(TASKS.count, { status }, signal))["count"]] as const;
  }));
  return Object.fromEntries(counts) as Record<TaskState, bigint>;
}
