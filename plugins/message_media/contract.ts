import { type Call, type Contract, defineContract } from "edgehelm";

/** A media, as responses contain it. */
export interface MessageMediaSummary {
  readonly id: bigint;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly userDescription: string;
  readonly isOn: boolean;
}

/** A message to send. */
export interface OutgoingMessage {
  readonly mediaType: string;
  /** The parameters of the media, which `requireParams` accepted. */
  readonly paramsJSON: Uint8Array;
  readonly user: string;
  readonly subject: string;
  readonly body: string;
}

/** The result of sending a message. */
export interface SendResult {
  readonly isOk: boolean;
  readonly error: string;
  readonly response: string;
}

/** Lets other plugins look up media and send messages. */
export interface MessageMedias {
  /** Returns the media of a type, or undefined if there is none. */
  find(type: string): MessageMediaSummary | undefined;
  /**
   * Returns the media of a type.
   *
   * @param field the request field to name in the error
   * @throws `kernel.invalid_field` if the type does not exist
   */
  requireType(field: string, type: string): MessageMediaSummary;
  /**
   * Checks the parameters of a media.
   *
   * @throws `kernel.invalid_field` with the path of the invalid value
   */
  requireParams(field: string, type: string, paramsJSON: Uint8Array): void;
  /** True if the host has a message transport. */
  readonly canSend: boolean;
  /**
   * Sends a message. A failed delivery is a result, not an error.
   *
   * @throws `kernel.unavailable` if no message transport is configured
   */
  send(call: Call, message: OutgoingMessage): Promise<SendResult>;
}
export const MessageMedias: Contract<MessageMedias> = defineContract("message_media");
