import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

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
  /** Identifies the message; the same in each attempt, so that receivers can notice a repetition. */
  readonly id: string;
  /** The parameters of the media, which `requireParams` accepted. */
  readonly paramsJSON: Uint8Array;
  readonly user: string;
  readonly subject: string;
  readonly body: string;
}

/** The result of sending a message. */
export interface SendResult {
  readonly isOk: boolean;
  /** The reason why the message was not delivered, in the words of the provider where it gave some. */
  readonly error: string;
  /** The response of the provider. */
  readonly response: string;
  /** True if a later attempt may succeed. */
  readonly isRetryable: boolean;
  /** The delay that the provider asks for, in seconds; 0 if it asks for none. */
  readonly retryAfterSeconds: number;
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
  /**
   * Refuses parameters, which were checked, with a host that this installation may not reach, such as one with a private
   * address. Call it outside of transactions.
   *
   * @throws `kernel.invalid_field` with the path of the value
   */
  requireHosts(call: Call, field: string, type: string, paramsJSON: Uint8Array): Promise<void>;
  /** Returns parameters with `******` in the place of each secret. */
  maskParams(type: string, paramsJSON: Uint8Array): Uint8Array;
  /** Returns true if `******` stands for a secret in parameters. */
  hasMasks(type: string, paramsJSON: Uint8Array): boolean;
  /** Returns new parameters in which each `******` is the secret of the stored parameters again. */
  restoreParams(type: string, paramsJSON: Uint8Array, stored: Uint8Array): Uint8Array;
  /** True if this instance can send through a media: the edge has no email. */
  canSend(type: string): boolean;
  /** True if receivers notice a message that is sent again, by its id. */
  noticesRepetitions(type: string): boolean;
  /**
   * Sends a message. A failed delivery is a result, not an error.
   *
   * @throws `kernel.unavailable` if this instance cannot send through the media
   */
  send(call: Call, mediaType: string, message: OutgoingMessage): Promise<SendResult>;
}
export const MessageMedias: Contract<MessageMedias> = defineContract("message_media");

/** A media that a plugin adds. */
export interface MessageMediaDriver {
  /** Unique among all media, and never another one's: those of this project are below 1000. */
  readonly id: bigint;
  /** The name in requests, such as `telegram`. Unique among all media. */
  readonly type: string;
  readonly name: string;
  readonly description: string;
  /** The meaning of the address of a recipient, such as `A mobile number`. */
  readonly userDescription: string;
  /**
   * Checks parameters.
   *
   * @throws `kernel.invalid_field` with the path of the invalid value
   */
  check(field: string, paramsJSON: Uint8Array): void;
  /** Returns the hosts that checked parameters name, by the members that contain them. Without it there are none. */
  hosts?(paramsJSON: Uint8Array): Readonly<Record<string, string>>;
  /** The members of the parameters that are secrets, such as `password`, or `headers.value` for that of each item. */
  readonly secrets: readonly string[];
  /** False if this instance lacks what the media needs. */
  readonly canSend: boolean;
  /**
   * True if the id of a message arrives as its idempotency key, by which receivers notice a repetition. A message whose
   * outcome is unknown is then sent again; otherwise a person decides. Defaults to false.
   */
  readonly noticesRepetitions?: boolean;
  /**
   * Sends a message, outside of any transaction. Errors of `call.fetch` and `call.connect` may be thrown: what is
   * temporarily unavailable is tried again later.
   */
  send(call: Call, message: OutgoingMessage): Promise<SendResult>;
}

/** The extension point for media. */
export const MessageMediaDrivers: ExtensionPoint<MessageMediaDriver> = defineExtensionPoint("message_media.drivers");
