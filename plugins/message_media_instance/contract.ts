import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** The media of an instance, as operations answer it. */
export interface InstanceMedia {
  readonly id: bigint;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly userDescription: string;
  readonly isOn: boolean;
}

/** An instance as it stands beside recipients and messages: without what it needs to log in. */
export interface MessageMediaInstanceSummary {
  readonly id: bigint;
  readonly isOn: boolean;
  readonly name: string;
  readonly description: string;
  readonly messageMedia: InstanceMedia;
  /** At most `count` messages in `minutes`; undefined for as many as there are. */
  readonly rate: { readonly minutes: number; readonly count: number } | undefined;
  /** For how many seconds the same message is not sent again; 0 for none. */
  readonly hashSeconds: bigint;
}

/** What other plugins may ask of media instances. */
export interface MessageMediaInstances {
  /** Instances that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, instanceIds: readonly bigint[]): Promise<ReadonlyMap<bigint, MessageMediaInstanceSummary>>;
  /** Refuses, naming `field`, unless the instance exists. */
  requireInstance(call: Call, field: string, instanceId: bigint): Promise<MessageMediaInstanceSummary>;
  /** What the media needs, as JSON; undefined for an instance that does not exist. Not inside a transaction. */
  paramsOf(call: Call, instanceId: bigint): Promise<Uint8Array | undefined>;
  /** Instances of a media, at most `limit`. */
  idsOfType(call: Call, mediaType: string, limit: number): Promise<readonly bigint[]>;
}
export const MessageMediaInstances: Contract<MessageMediaInstances> = defineContract("message_media_instance");

/** Where plugins say what uses an instance. */
export const MessageMediaInstanceUses: ExtensionPoint<UseCheck> = defineExtensionPoint("message_media_instance.uses");

/** Is told of instances that nothing can be sent with any more. */
export interface MessageMediaInstanceWatcher {
  /** Runs in the transaction that turns the instance off or deletes it. */
  becameUnavailable(call: Call, instanceId: bigint): Promise<void>;
}
export const MessageMediaInstanceWatchers: ExtensionPoint<MessageMediaInstanceWatcher> = defineExtensionPoint(
  "message_media_instance.watchers",
);
