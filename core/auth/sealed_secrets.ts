import { constantTimeEqual, newAccessKeySecret } from "./random.ts";
import type { Sealer } from "./sealer.ts";

/** Seals the secrets of one column, each for the row that it belongs to. */
export interface SealedSecrets {
  /**
   * Encrypts a secret for storage.
   *
   * @param row a permanent name of the row, such as its uniqueId; its numeric id is not known before the insert
   */
  seal(row: string, secret: string): Promise<string>;
  /**
   * Decrypts a secret.
   *
   * @throws UnsealError if the value was not sealed for this row
   */
  open(row: string, sealed: string): Promise<string>;
  /**
   * Returns true if `secret` is the one that was sealed. If `sealed` is undefined, it returns false after the same
   * amount of work, so that timing does not reveal which rows exist.
   */
  matches(row: string, sealed: string | undefined, secret: string): Promise<boolean>;
}

const DECOY = "decoy";

/**
 * Creates a {@link SealedSecrets} for a column, for plugins that must both compare a machine's secret and show it
 * again. A person's password must be hashed instead.
 *
 * @param sealer the contract `Secrets`
 * @param table the table that stores the secrets
 * @param column the column that stores the secrets
 *
 * @example
 * ```ts
 * const secrets = await sealedSecrets(deps.sealer, "nsNodes", "secret");
 * const sealed = await secrets.seal(uniqueId, newAccessKeySecret());
 * ```
 */
export async function sealedSecrets(sealer: Sealer, table: string, column: string): Promise<SealedSecrets> {
  const place = (row: string) => ({ table, column, row });
  const decoy = await sealer.seal(newAccessKeySecret(), place(DECOY));
  return {
    seal: (row, secret) => sealer.seal(secret, place(row)),
    open: (row, sealed) => sealer.open(sealed, place(row)),
    async matches(row, sealed, secret) {
      const expected = await sealer.open(sealed ?? decoy, place(sealed === undefined ? DECOY : row));
      return await constantTimeEqual(expected, secret) && sealed !== undefined;
    },
  };
}
