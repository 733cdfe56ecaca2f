import type { UseCheck } from "edgehelm";
import type { MessageRecipientStore } from "./store.ts";

/** Reports the recipients of an instance, which therefore cannot be deleted. */
export function instanceUses(store: MessageRecipientStore): UseCheck {
  return {
    referencesTo: async (call, messageMediaInstanceId, limit) =>
      (await store.ofInstance.all(call, { messageMediaInstanceId, limit })).map(nameOf),
  };
}

/** Reports the recipients in a group, which therefore cannot be deleted. */
export function groupUses(store: MessageRecipientStore): UseCheck {
  return {
    referencesTo: async (call, messageRecipientGroupId, limit) =>
      (await store.ofGroup.all(call, { messageRecipientGroupId, limit })).map(nameOf),
  };
}

function nameOf({ user }: { readonly user: string }): string {
  return `message recipient "${user}"`;
}
