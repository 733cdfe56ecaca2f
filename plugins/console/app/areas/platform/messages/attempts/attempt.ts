import type { ListPage } from "../../../../parts/lists/loaded_list.tsx";
import { callPath } from "../../../../shell/call.ts";
import { ATTEMPTS } from "../paths.ts";
import type { Task } from "../task.ts";

/** An attempt to send a message. */
export interface Attempt {
  readonly id: bigint;
  readonly createdAt: bigint;
  readonly isOk: boolean;
  readonly error: string;
  readonly response: string;
  /** Only its id if it cannot be sent any more. */
  readonly messageTask?: Task;
}

/** Loads a page of the attempts, the newest first. */
export async function loadAttempts(offset: number, size: number, signal?: AbortSignal): Promise<ListPage<Attempt>> {
  const [list, { count }] = await Promise.all([
    callPath(ATTEMPTS.list, { offset: BigInt(offset), size: BigInt(size) }, signal),
    callPath(ATTEMPTS.count, {}, signal),
  ]);
  return { rows: list["messageTaskLogs"] as readonly Attempt[], total: count as bigint };
}
