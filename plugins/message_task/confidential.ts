import type { SealedSecrets } from "edgehelm/auth";
import type { MessageTaskRow } from "./store.ts";

/** The text in place of a secret. */
const MASK = "******";

/** The text of a message as its receiver gets it, and the secret in it. */
interface Revealed {
  readonly body: string;
  readonly secret: string;
}

/** Returns a text without a secret. */
export function masked(text: string, secret: string): string {
  return secret === "" ? text : text.replaceAll(secret, MASK);
}

/** Returns the columns of a message whose text contains a secret: the text for people, and the sealed one. */
export async function confidentialColumns(secrets: SealedSecrets, body: string, secret: string, expiresAt: bigint) {
  const sealedPlace = crypto.randomUUID();
  const sealedText = await secrets.seal(sealedPlace, JSON.stringify({ body, secret } satisfies Revealed));
  return { body: masked(body, secret), sealedPlace, sealedText, expiresAt };
}

/** Returns the text of a message to send; undefined if it was emptied. */
export async function revealed(secrets: SealedSecrets, row: MessageTaskRow): Promise<Revealed | undefined> {
  if (!isConfidential(row)) return { body: row.body, secret: "" };
  if (row.sealedText === "") return undefined;
  return JSON.parse(await secrets.open(row.sealedPlace, row.sealedText)) as Revealed;
}

export function isConfidential({ sealedPlace }: MessageTaskRow): boolean {
  return sealedPlace !== "";
}
