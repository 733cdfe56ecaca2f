import { constantTimeEqual, newAccessKeySecret } from "./random.ts";
import type { Sealer } from "./sealer.ts";

/** The secrets of one table's column, sealed for the row that each belongs to. */
export interface SealedSecrets {
  /** @param row what names the row for good, such as its uniqueId; its number is not known before it is there */
  seal(row: string, secret: string): Promise<string>;
  open(row: string, sealed: string): Promise<string>;
  /** Whether the secret is the one that was sealed. Where there is none it costs the same, and the answer is false. */
  matches(row: string, sealed: string | undefined, secret: string): Promise<boolean>;
}

const DECOY = "decoy";

/** For plugins that keep credentials of machines, which must show the secret again and compare it. */
export async function sealedSecrets(sealer: Sealer, table: string, column: string): Promise<SealedSecrets> {
  const place = (row: string) => ({ table, column, row });
  const decoy = await sealer.seal(newAccessKeySecret(), place(DECOY));
  return {
    seal: (row, secret) => sealer.seal(secret, place(row)),
    open: (row, sealed) => sealer.open(sealed, place(row)),
    async matches(row, sealed, secret) {
      const known = await sealer.open(sealed ?? decoy, place(sealed === undefined ? DECOY : row));
      return await constantTimeEqual(known, secret) && sealed !== undefined;
    },
  };
}
