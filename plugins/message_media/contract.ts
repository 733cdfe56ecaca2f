import { type Call, type Contract, defineContract } from "edgehelm";

/** A media as operations answer it. */
export interface MessageMediaSummary {
  readonly id: bigint;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly userDescription: string;
  readonly isOn: boolean;
}

/** A message that is ready to be sent. */
export interface OutgoingMessage {
  readonly mediaType: string;
  /** JSON that the media was checked to take. */
  readonly paramsJSON: Uint8Array;
  readonly user: string;
  readonly subject: string;
  readonly body: string;
}

/** What came of sending a message. */
export interface SendResult {
  readonly isOk: boolean;
  readonly error: string;
  readonly response: string;
}

/** What other plugins may ask of media. */
export interface MessageMedias {
  /** The media of a type; undefined when there is none. */
  find(type: string): MessageMediaSummary | undefined;
  /** Refuses, naming `field`, unless the type exists. */
  requireType(field: string, type: string): MessageMediaSummary;
  /** Refuses, naming the path of the fault, unless the JSON is what the media of that type needs. */
  requireParams(field: string, type: string, paramsJSON: Uint8Array): void;
  /** Whether this installation can send. */
  readonly canSend: boolean;
  /**
   * Sends a message. That the other side refuses it is a result, not an error.
   *
   * @throws unavailable where this installation cannot send
   */
  send(call: Call, message: OutgoingMessage): Promise<SendResult>;
}
export const MessageMedias: Contract<MessageMedias> = defineContract("message_media");
