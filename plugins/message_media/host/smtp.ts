import type { Call } from "edgehelm";
import { createTransport } from "nodemailer";
import type { SendResult } from "../contract.ts";
import type { OutgoingMail } from "../drivers/mail_transport.ts";
import { delayed, delivered, refused } from "../results.ts";
import { connectionSocket } from "./connection_socket.ts";

const TIMEOUT_MILLISECONDS = 20_000;
/** Errors of nodemailer that say nothing about the message: the connection, its time, its TLS. */
const TEMPORARY = new Set(["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS", "ETLS", "EPROTOCOL"]);

/** Sends an email over a connection of its own. */
export async function sendMail(call: Call, mail: OutgoingMail): Promise<SendResult> {
  const { host, port, encryption, ca } = mail;
  const tls = ca === "" ? {} : { ca };
  const isSecure = encryption === "tls";
  await using connection = await call.connect({
    host,
    port,
    ...isSecure && { tls },
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
  });
  const socket = connectionSocket(connection);
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: encryption === "startTLS",
    ignoreTLS: encryption === "none",
    tls,
    ...mail.username !== "" && { auth: { user: mail.username, pass: mail.password } },
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options, callback) => callback(null, { connection: socket, secured: isSecure }),
  });
  try {
    const { from, to, subject, body } = mail;
    const { response } = await transport.sendMail({
      from,
      to,
      subject,
      text: body,
      messageId: `<${mail.id}@${domainOf(from)}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return delivered(response);
  } catch (error) {
    return failure(error as MailError);
  } finally {
    transport.close();
    socket.destroy();
  }
}

/** An error of nodemailer. */
interface MailError extends Error {
  readonly code?: string;
  /** The code of SMTP: 4xx is temporary, 5xx is not. */
  readonly responseCode?: number;
  readonly response?: string;
}

function failure({ code = "", responseCode, response = "", message }: MailError): SendResult {
  const isTemporary = responseCode === undefined ? TEMPORARY.has(code) : responseCode >= 400 && responseCode < 500;
  return isTemporary ? delayed(response || message, response) : refused(response || message, response);
}

function domainOf(address: string): string {
  return /@([^\s<>@]+)>?$/.exec(address)?.[1] ?? "localhost";
}
