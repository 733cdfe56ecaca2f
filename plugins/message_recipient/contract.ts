import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { Summaries } from "edgehelm/rows";
import type { MessageRecipientSchema } from "edgehelm/proto/models/message_recipient_pb.js";

/** A recipient, as shown with a message. */
export interface MessageRecipientSummary {
  readonly id: bigint;
  readonly isOn: boolean;
  readonly messageMediaInstanceId: bigint;
  /** True if the recipient and its media instance are turned on. */
  readonly isReachable: boolean;
  /** The clusters of edge nodes of whose events it is notified; empty means all. */
  readonly nodeClusterIds: readonly bigint[];
  readonly user: string;
  /** The time of day from which messages are sent, HH:MM:SS; empty means midnight. */
  readonly timeFrom: string;
  /** The time of day until which messages are sent, HH:MM:SS; empty means midnight. */
  readonly timeTo: string;
  /** The recipient, as responses contain it. */
  readonly message: MessageInitShape<typeof MessageRecipientSchema>;
}

/** Lets other plugins look up recipients. */
export interface MessageRecipients extends Summaries<MessageRecipientSummary> {
  /**
   * Returns a recipient.
   *
   * @param field the request field to name in the error
   * @throws `kernel.invalid_field` if the recipient does not exist
   */
  requireRecipient(call: Call, field: string, recipientId: bigint): Promise<MessageRecipientSummary>;
  /** Returns the ids of at most `limit` recipients of a group, or of all if it is 0, newest first. */
  idsOfGroup(call: Call, groupId: bigint, limit: number): Promise<readonly bigint[]>;
}
export const MessageRecipients: Contract<MessageRecipients> = defineContract("message_recipient");

/** Is notified when a recipient becomes unavailable. */
export interface MessageRecipientWatcher {
  /** Runs in the transaction that turns the recipient off or deletes it. */
  becameUnavailable(call: Call, recipientId: bigint): Promise<void>;
}
export const MessageRecipientWatchers: ExtensionPoint<MessageRecipientWatcher> = defineExtensionPoint(
  "message_recipient.watchers",
);
