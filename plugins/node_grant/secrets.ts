import { invalid } from "edgehelm";
import type { Sealer } from "edgehelm/auth";
import { errors } from "./errors.ts";

/** The columns with sealed secrets. */
export const SECRET_COLUMNS = ["password", "privateKey", "passphrase"] as const;
type Column = (typeof SECRET_COLUMNS)[number];

/** The decrypted secrets of a grant; empty means none. */
export type ClearSecrets = Readonly<Record<Column, string>>;
/** The encrypted secrets of a grant as the table stores them; empty means none. */
export type SealedSecrets = Readonly<Record<Column, string>>;

const PEM = /^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n[^]+\n-----END [A-Z ]*PRIVATE KEY-----\s*$/;

/** Checks the secrets of a request. They are not trimmed. */
export function secretFields({ password, privateKey, passphrase }: ClearSecrets): ClearSecrets {
  if (password.length > 255) throw invalid("password", "must have at most 255 characters");
  if (passphrase.length > 255) throw invalid("passphrase", "must have at most 255 characters");
  if (privateKey.length > 32_768) throw invalid("privateKey", "must have at most 32768 characters");
  if (privateKey !== "" && !PEM.test(privateKey)) throw invalid("privateKey", "must be a private key in PEM");
  return { password, privateKey, passphrase };
}

/** Seals the secrets of a grant for the row that will store them. */
export async function sealSecrets(sealer: Sealer, row: string, secrets: ClearSecrets): Promise<SealedSecrets> {
  return await eachColumn((column) => secrets[column] && sealer.seal(secrets[column], place(column, row)));
}

/** Opens the sealed secrets of a grant. */
export async function openSecrets(sealer: Sealer, row: string, secrets: SealedSecrets): Promise<ClearSecrets> {
  return await eachColumn((column) => secrets[column] && sealer.open(secrets[column], place(column, row)));
}

/** Returns only the secrets that the method uses. Empty updates leave the stored secrets unchanged. */
export function secretsFor(
  method: "user" | "privateKey",
  updates: SealedSecrets,
  stored?: SealedSecrets,
): SealedSecrets {
  if (method === "user") {
    const password = updates.password || stored?.password || "";
    if (password === "") throw errors.secret_missing("password", method);
    return { password, privateKey: "", passphrase: "" };
  }
  const privateKey = updates.privateKey || stored?.privateKey || "";
  if (privateKey === "") throw errors.secret_missing("privateKey", method);
  // The passphrase of the old key does not apply to a new key.
  const passphrase = updates.passphrase || (updates.privateKey === "" && stored?.passphrase) || "";
  return { password: "", privateKey, passphrase };
}

async function eachColumn(value: (column: Column) => string | Promise<string>): Promise<Record<Column, string>> {
  const [password, privateKey, passphrase] = await Promise.all(SECRET_COLUMNS.map(value));
  return { password: password!, privateKey: privateKey!, passphrase: passphrase! };
}

function place(column: Column, row: string) {
  return { table: "nodeGrants", column, row };
}
