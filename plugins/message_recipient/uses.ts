import type { UseCheck } from "edgehelm";
import type { MessageRecipientStore } from "./store.ts";

/** The recipients of an instance keep it from being deleted. */
export function instanceUses(store: MessageRecipientStore): UseCheck {
  return {
    referencesTo: async (call, messageMediaInstanceId, limit) =>
      (await store.ofInstance.all(call, { messageMediaInstanceId, limit })).map(worded),
  };
}

/** The recipients in a group keep it from being deleted. */
export function groupUses(store: MessageRecipientStore): UseCheck {
  return {
    referencesTo: async (call, messageRecipientGroupId, limit) =>
      (await store.ofGroup.all(call, { messageRecipientGroupId, limit })).map(worded),
  };
}

function worded({ user }: { readonly user: string }): string {
  return `message recipient "${user}"`;
}
