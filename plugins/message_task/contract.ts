import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { MessageTaskSchema } from "edgehelm/proto/models/message_task_pb.js";

/** A message to queue: to a recipient, or through a media instance to a user. */
export interface NewMessage {
  /** 0 if a media instance and a user are given instead. */
  readonly messageRecipientId: bigint;
  /** Ignored if a recipient is given. */
  readonly messageMediaInstanceId: bigint;
  readonly user: string;
  readonly subject: string;
  readonly body: string;
  /** True sends the message before others. */
  readonly isPrimary: boolean;
  /** Protects a secret in the body, such as the code of a password reset. */
  readonly confidential?: Confidential;
}

/**
 * A secret in a message. It is sealed while the message is queued, masked for everybody who looks at the message, and
 * emptied once the message is sent, has failed or has expired. `hashLife` does not apply to such messages.
 */
export interface Confidential {
  /** The part of the body to protect. */
  readonly secret: string;
  /** The time in unix seconds from which the secret is of no use: the message is not sent any more. */
  readonly expiresAt: bigint;
}

/** Lets other plugins queue messages. */
export interface MessageTasks {
  /**
   * Queues a message. Within the `hashLife` of the instance, the same message is not queued again.
   *
   * @returns the id of the message; 0 if it is a repetition
   * @throws `kernel.invalid_field` if the recipient or the instance does not exist
   */
  create(call: Call, message: NewMessage): Promise<bigint>;
  /**
   * Returns the media instance that sends mail to users: the chosen one, or if that is 0, the first one of the media
   * `email` that is turned on. Returns undefined if it does not exist or is turned off.
   */
  mailInstance(call: Call, chosenId: bigint): Promise<bigint | undefined>;
  /** Returns messages as responses contain them, by id. */
  messages(
    call: Call,
    ids: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, MessageInitShape<typeof MessageTaskSchema>>>;
}
export const MessageTasks: Contract<MessageTasks> = defineContract("message_task");

/** An attempt to send a message. */
export interface MessageAttempt {
  readonly messageTaskId: bigint;
  /** Unix seconds. */
  readonly createdAt: bigint;
  readonly isOk: boolean;
  readonly error: string;
  readonly response: string;
}

/** Is notified of each attempt to send a message. */
export interface MessageAttemptListener {
  /** Runs in the transaction that stores the result. */
  attempted(call: Call, attempt: MessageAttempt): Promise<void>;
}
export const MessageAttemptListeners: ExtensionPoint<MessageAttemptListener> = defineExtensionPoint(
  "message_task.attempt_listeners",
);
