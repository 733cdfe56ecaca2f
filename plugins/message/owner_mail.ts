import type { Call } from "edgehelm";
import type { EventText } from "edgehelm/runtime";
import type { MessageTasks } from "../message_task/contract.ts";
import type { Users } from "../user/contract.ts";

/** The characters of a subject: texts of events may be longer. */
const MAX_SUBJECT_LENGTH = 255;

/** Mails a message to a user. */
export type OwnerMail = (call: Call, userId: bigint, text: EventText) => Promise<void>;

export interface OwnerMailDeps {
  readonly tasks: MessageTasks;
  readonly users: Users;
  /** 0 for the first instance of the media email. */
  readonly messageMediaInstanceId: bigint;
}

/** Returns the function that mails messages to the verified addresses of users; those without one get none. */
export function ownerMail({ tasks, users, messageMediaInstanceId }: OwnerMailDeps): OwnerMail {
  return async (call, userId, { subject, body }) => {
    const address = (await users.verifiedEmails(call, [userId])).get(userId);
    const instanceId = address && await tasks.mailInstance(call, messageMediaInstanceId);
    if (address === undefined || !instanceId) return;
    const to = { messageRecipientId: 0n, messageMediaInstanceId: instanceId, user: address };
    await tasks.create(call, { ...to, subject: subject.slice(0, MAX_SUBJECT_LENGTH), body, isPrimary: false });
  };
}
