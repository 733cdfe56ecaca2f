import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";
import type { Summaries } from "edgehelm/rows";

/** The media of an instance, as responses contain it. */
export interface InstanceMedia {
  readonly id: bigint;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly userDescription: string;
  readonly isOn: boolean;
}

/** An instance, as shown with recipients and messages: without its parameters. */
export interface MessageMediaInstanceSummary {
  readonly id: bigint;
  readonly isOn: boolean;
  readonly name: string;
  readonly description: string;
  readonly messageMedia: InstanceMedia;
  /** The rate limit: at most `count` messages in `minutes`. Undefined means no limit. */
  readonly rate: { readonly minutes: number; readonly count: number } | undefined;
  /** The number of seconds within which the same message is not sent again; 0 disables deduplication. */
  readonly hashSeconds: bigint;
}

/** Lets other plugins look up media instances. */
export interface MessageMediaInstances extends Summaries<MessageMediaInstanceSummary> {
  /**
   * Returns an instance.
   *
   * @param field the request field to name in the error
   * @throws `kernel.invalid_field` if the instance does not exist
   */
  requireInstance(call: Call, field: string, instanceId: bigint): Promise<MessageMediaInstanceSummary>;
  /**
   * Returns the parameters of the media as JSON, or undefined if the instance does not exist. Do not call it in a
   * transaction, since it decrypts.
   */
  paramsOf(call: Call, instanceId: bigint): Promise<Uint8Array | undefined>;
  /** Returns the ids of at most `limit` instances of a media. */
  idsOfType(call: Call, mediaType: string, limit: number): Promise<readonly bigint[]>;
}
export const MessageMediaInstances: Contract<MessageMediaInstances> = defineContract("message_media_instance");

/** Lets plugins report what uses an instance. */
export const MessageMediaInstanceUses: Uses = defineUses("message_media_instance");

/** Is notified when an instance becomes unavailable for sending. */
export interface MessageMediaInstanceWatcher {
  /** Runs in the transaction that turns the instance off or deletes it. */
  becameUnavailable(call: Call, instanceId: bigint): Promise<void>;
}
export const MessageMediaInstanceWatchers: ExtensionPoint<MessageMediaInstanceWatcher> = defineExtensionPoint(
  "message_media_instance.watchers",
);
