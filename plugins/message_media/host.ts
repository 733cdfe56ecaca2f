import type { OpenHost } from "edgehelm/runtime";
import type { MailTransport } from "./drivers/mail_transport.ts";
import { sendMail } from "./host/smtp.ts";

/** Opens the mail transport of a machine. */
export const open: OpenHost<MailTransport> = () => ({ send: sendMail });
