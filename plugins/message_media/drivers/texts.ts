import { shortened } from "../results.ts";

/** The values of the variables in a text of an operator. */
export interface Variables {
  readonly user: string;
  readonly subject: string;
  readonly body: string;
}

/** Replaces the variables `${MessageUser}`, `${MessageSubject}` and `${MessageBody}`. */
export function filled(text: string, { user, subject, body }: Variables): string {
  const values: Readonly<Record<string, string>> = { User: user, Subject: subject, Body: body };
  return text.replaceAll(/\$\{Message(User|Subject|Body)\}/g, (_match, name: string) => values[name]!);
}

/** Returns the text of a chat message. */
export function chatText({ subject, body }: { readonly subject: string; readonly body: string }, max: number): string {
  return shortened(body === "" ? subject : `${subject}\n\n${body}`, max);
}
