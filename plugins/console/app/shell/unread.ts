import { effect, signal } from "@preact/signals";
import { count } from "../texts/mod.ts";
import { callPath } from "./call.ts";
import { mayCall, session } from "./state.ts";

/** The operations of notices, which are the messages of the platform to the reader. */
export const NOTICES = {
  list: "MessageService/listUnreadMessages",
  count: "MessageService/countUnreadMessages",
  mark: "MessageService/updateMessageRead",
  markAll: "MessageService/updateAllMessagesRead",
} as const;

const EVERY_MILLISECONDS = 60_000;
/** The server counts no further. */
const MAX_COUNT = 1000n;

/** The number of notices that the reader has not read. */
export const unread = signal(0n);

/** Returns the number as text; one that the server did not count to its end has a plus. */
export function unreadText(value: bigint): string {
  return value >= MAX_COUNT ? `${count(MAX_COUNT - 1n)}+` : count(value);
}

/** Counts again. The number stays as it is if the server cannot be reached. */
export async function refreshUnread(): Promise<void> {
  if (session.peek()?.mustSetUp === true || !mayCall(NOTICES.count)) return;
  const counted = await callPath(NOTICES.count, {}).catch(() => undefined);
  if (counted !== undefined) unread.value = counted["count"] as bigint;
}

/** Counts when the reader has signed in, and then each minute while the page is seen. */
export function watchUnread(): void {
  effect(() => {
    if (session.value !== undefined) void refreshUnread();
  });
  setInterval(() => {
    if (session.peek() !== undefined && document.visibilityState === "visible") void refreshUnread();
  }, EVERY_MILLISECONDS);
}
