import { invalid, type Sealer } from "edgehelm";
import { errors } from "./errors.ts";

const COLUMNS = ["password", "privateKey", "passphrase"] as const;
type Column = (typeof COLUMNS)[number];

/** The secrets of a grant in clear; empty means none. */
export type ClearSecrets = Readonly<Record<Column, string>>;
/** The secrets as the table keeps them; empty means none. */
export type SealedSecrets = Readonly<Record<Column, string>>;

const PEM = /^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n[^]+\n-----END [A-Z ]*PRIVATE KEY-----\s*$/;

/** Checks the secrets of a request; they are taken as they came, white space included. */
export function secretFields({ password, privateKey, passphrase }: ClearSecrets): ClearSecrets {
  if (password.length > 255) throw invalid("password", "must have at most 255 characters");
  if (passphrase.length > 255) throw invalid("passphrase", "must have at most 255 characters");
  if (privateKey.length > 32_768) throw invalid("privateKey", "must have at most 32768 characters");
  if (privateKey !== "" && !PEM.test(privateKey)) throw invalid("privateKey", "must be a private key in PEM");
  return { password, privateKey, passphrase };
}

/** Seals what a grant has for the row that will keep it. */
export async function sealSecrets(sealer: Sealer, row: string, secrets: ClearSecrets): Promise<SealedSecrets> {
  return await eachColumn((column) => secrets[column] && sealer.seal(secrets[column], place(column, row)));
}

/** Opens what a grant has. */
export async function openSecrets(sealer: Sealer, row: string, secrets: SealedSecrets): Promise<ClearSecrets> {
  return await eachColumn((column) => secrets[column] && sealer.open(secrets[column], place(column, row)));
}

/** The secrets that the method needs and no others; what is not given stays as it was. */
export function secretsFor(method: "user" | "privateKey", given: SealedSecrets, kept?: SealedSecrets): SealedSecrets {
  if (method === "user") {
    const password = given.password || kept?.password || "";
    if (password === "") throw errors.secret_missing("password", method);
    return { password, privateKey: "", passphrase: "" };
  }
  const privateKey = given.privateKey || kept?.privateKey || "";
  if (privateKey === "") throw errors.secret_missing("privateKey", method);
  // a new key does not have the passphrase of the old one
  const passphrase = given.passphrase || (given.privateKey === "" && kept?.passphrase) || "";
  return { password: "", privateKey, passphrase };
}

async function eachColumn(value: (column: Column) => string | Promise<string>): Promise<Record<Column, string>> {
  const [password, privateKey, passphrase] = await Promise.all(COLUMNS.map(value));
  return { password: password!, privateKey: privateKey!, passphrase: passphrase! };
}

function place(column: Column, row: string) {
  return { table: "nodeGrants", column, row };
}
