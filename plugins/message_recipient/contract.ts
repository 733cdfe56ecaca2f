import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { MessageRecipientSchema } from "edgehelm/proto/models/message_recipient_pb.js";

/** A recipient as it stands beside a message. */
export interface MessageRecipientSummary {
  readonly id: bigint;
  readonly isOn: boolean;
  readonly messageMediaInstanceId: bigint;
  readonly user: string;
  /** From and until which time of day messages are sent, HH:MM:SS; empty means midnight. */
  readonly timeFrom: string;
  readonly timeTo: string;
  /** As operations answer it. */
  readonly message: MessageInitShape<typeof MessageRecipientSchema>;
}

/** What other plugins may ask of recipients. */
export interface MessageRecipients {
  /** Recipients that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, recipientIds: readonly bigint[]): Promise<ReadonlyMap<bigint, MessageRecipientSummary>>;
  /** Refuses, naming `field`, unless the recipient exists. */
  requireRecipient(call: Call, field: string, recipientId: bigint): Promise<MessageRecipientSummary>;
}
export const MessageRecipients: Contract<MessageRecipients> = defineContract("message_recipient");

/** Is told of recipients that nothing can be sent to any more. */
export interface MessageRecipientWatcher {
  /** Runs in the transaction that turns the recipient off or deletes it. */
  becameUnavailable(call: Call, recipientId: bigint): Promise<void>;
}
export const MessageRecipientWatchers: ExtensionPoint<MessageRecipientWatcher> = defineExtensionPoint(
  "message_recipient.watchers",
);
