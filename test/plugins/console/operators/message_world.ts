import { expect } from "vitest";
import type { Server } from "../../../harness/server.ts";

/** The plugins of an installation with messages. */
export const MESSAGE_PLUGINS: readonly string[] = [
  ...["admin", "api_access_token", "console", "node_cluster", "user", "user_access_key"],
  ...["message_media", "message_media_instance", "message_recipient", "message_recipient_group", "message_task"],
];
/** The error of a form whose object was changed elsewhere. */
export const CHANGED_ELSEWHERE = "This was changed in another window meanwhile, so it was not saved.";

/** Puts channels, recipients and messages into an installation, and reads them from it. */
export class MessageWorld {
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Calls as the operator. */
  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async post(path: string, request: object): Promise<any> {
    const { code, data, message } = await this.#server.post(`/${path}`, request);
    expect([code, message, path]).toEqual([200, "ok", path]);
    return data;
  }

  async addChannel(name: string, more: object = {}): Promise<number> {
    const { messageMediaInstanceId } = await this.post("MessageMediaInstanceService/createMessageMediaInstance", {
      ...{ name, mediaType: "email", paramsJSON: { smtp: "smtp.edge.example:465", from: "noc@edge.example" } },
      ...more,
    });
    return messageMediaInstanceId;
  }

  async addRecipient(messageMediaInstanceId: number, user: string, more: object = {}): Promise<number> {
    const request = { adminId: 1, messageMediaInstanceId, user, ...more };
    return (await this.post("MessageRecipientService/createMessageRecipient", request)).messageRecipientId;
  }

  async addGroup(name: string): Promise<number> {
    const made = await this.post("MessageRecipientGroupService/createMessageRecipientGroup", { name });
    return made.messageRecipientGroupId;
  }

  /** Queues a message, and gives it a status. */
  async addMessage(messageRecipientId: number, subject: string, body = "", status = 0): Promise<number> {
    const request = { messageRecipientId, subject, body };
    const { messageTaskId } = await this.post("MessageTaskService/createMessageTask", request);
    if (status > 0) await this.post("MessageTaskService/updateMessageTaskStatus", { messageTaskId, status });
    return messageTaskId;
  }

  /** Finds the only channel whose name or description contains the keyword, with its JSON. */
  // deno-lint-ignore no-explicit-any -- the parameters depend on the kind
  async channelNamed(keyword: string): Promise<any> {
    const list = await this.post("MessageMediaInstanceService/listEnabledMessageMediaInstances", { keyword });
    const [{ paramsJSON, rateJSON, ...channel }] = list.messageMediaInstances;
    return { ...channel, params: json(paramsJSON), rate: json(rateJSON) };
  }

  /** Finds the parameters of the only channel whose name or description contains the keyword, with their secrets. */
  async secretsOf(keyword: string): Promise<unknown> {
    const messageMediaInstanceId = (await this.channelNamed(keyword)).id;
    const find = "MessageMediaInstanceService/findMessageMediaInstanceSecrets";
    return json((await this.post(find, { messageMediaInstanceId })).paramsJSON);
  }

  /** Finds the only recipient whose address contains the keyword. */
  // deno-lint-ignore no-explicit-any -- what tests look at differs
  async recipientOf(keyword: string): Promise<any> {
    const list = await this.post("MessageRecipientService/listEnabledMessageRecipients", { keyword });
    return list.messageRecipients?.[0];
  }
}

function json(base64: string | undefined): unknown {
  return base64 === undefined ? undefined : JSON.parse(atob(base64));
}
