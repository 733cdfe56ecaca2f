import { choiceField, invalid, jsonField, kernelErrors, textField } from "edgehelm";
import { addressVersion, asciiHostName, portField } from "edgehelm/fields";
import { EmailParamsSchema } from "edgehelm/proto/shapes/message_media_pb.js";
import type { MessageMediaDriver } from "../contract.ts";
import { refused } from "../results.ts";
import type { MailTransport } from "./mail_transport.ts";

const TLS_PORT = 465;
/** One address, also with a name, such as `Ada <ada@example.com>`. */
const ADDRESS = /^(?:[^<>,;@\r\n]{0,120}<)?([^\s<>,;@"]{1,64}@[^\s<>,;@"]{1,190})>?$/;

/** Sends emails through a mail server. Workers have no mail transport. */
export function email(transport: MailTransport | undefined): MessageMediaDriver {
  return {
    id: 1n,
    type: "email",
    name: "Email",
    description: "Sends an email through a mail server",
    userDescription: "An email address",
    secrets: ["password"],
    canSend: transport !== undefined,
    check(field, bytes) {
      const { smtp, from, username, encryption } = jsonField(field, bytes, EmailParamsSchema)!;
      serverField(`${field}.smtp`, smtp);
      const sender = textField(`${field}.from`, from || username, { min: 1 });
      if (!ADDRESS.test(sender)) {
        throw invalid(`${field}.from`, `must be an email address, got "${sender.slice(0, 60)}"`);
      }
      if (encryption !== "") choiceField(`${field}.encryption`, encryption, ["tls", "startTLS", "none"]);
    },
    hosts: (bytes) => ({ smtp: serverField("smtp", jsonField("paramsJSON", bytes, EmailParamsSchema)!.smtp).host }),
    async send(call, message) {
      const { smtp, username, password, from, encryption, ca } = jsonField(
        "paramsJSON",
        message.paramsJSON,
        EmailParamsSchema,
      )!;
      if (!ADDRESS.test(message.user)) return refused(`"${message.user.slice(0, 60)}" is not an email address`);
      if (transport === undefined) throw kernelErrors.unavailable("this instance has no mail transport");
      const server = serverField("paramsJSON.smtp", smtp);
      return await transport.send(call, {
        id: message.id,
        ...server,
        encryption: encryption || (server.port === TLS_PORT ? "tls" : username === "" ? "opportunistic" : "startTLS"),
        ca,
        username,
        password,
        from: from || username,
        to: message.user,
        subject: message.subject,
        body: message.body,
      });
    },
  };
}

function serverField(field: string, smtp: string): { readonly host: string; readonly port: number } {
  const [, name = "", port = ""] = /^(.*):(\d{1,5})$/.exec(smtp.trim()) ?? [];
  const host = name.replace(/^\[|\]$/g, "");
  if (addressVersion(host) === undefined && asciiHostName(host) === undefined) {
    throw invalid(field, `must be host:port such as smtp.example.com:465, got "${smtp.slice(0, 60)}"`);
  }
  return { host, port: portField(field, Number(port)) };
}
