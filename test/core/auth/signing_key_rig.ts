import { InstallationKey } from "../../../core/auth/installation_key.ts";
import { type SigningKeyRow, SigningKeys, type SigningKeyStore } from "../../../core/auth/signing_keys.ts";

export const TOKEN_LIFETIME = 7200;
export const ROTATE_DAYS = 30;
export const START = Date.UTC(2026, 0, 1);

/** An in-memory table of signing keys, which counts reads and fails in the context `broken`. */
export class MemoryStore implements SigningKeyStore<"reader" | "broken"> {
  rows: SigningKeyRow[] = [];
  reads = 0;

  async all(context: "reader" | "broken"): Promise<SigningKeyRow[]> {
    this.reads++;
    await Promise.resolve();
    if (context === "broken") throw new Error("the database is down");
    return this.rows.map((row) => ({ ...row }));
  }

  async insert(_context: string, row: SigningKeyRow): Promise<void> {
    this.rows.push(row);
  }

  async retire(_context: string, kid: string, at: bigint): Promise<void> {
    this.rows = this.rows.map((row) => row.kid === kid ? { ...row, retiredAt: at } : row);
  }

  async delete(_context: string, kid: string): Promise<void> {
    this.rows = this.rows.filter((row) => row.kid !== kid);
  }
}

/** A manual clock. */
export class Clock {
  #milliseconds = START;
  /** Unix milliseconds. */
  readonly now = (): number => this.#milliseconds;

  get seconds(): number {
    return this.#milliseconds / 1000;
  }

  advance(seconds: number): void {
    this.#milliseconds += seconds * 1000;
  }
}

export async function testInstallationKey(): Promise<InstallationKey> {
  return await InstallationKey.fromBytes(crypto.getRandomValues(new Uint8Array(32)));
}

/** Creates an installation: a table, a clock, and any number of instances. */
export async function signingKeyRig() {
  const store = new MemoryStore();
  const clock = new Clock();
  const { sealer } = await testInstallationKey();
  const newInstance = () =>
    new SigningKeys({ store, sealer, now: clock.now, rotateDays: ROTATE_DAYS, tokenLifetimeSeconds: TOKEN_LIFETIME });
  const keys = newInstance();
  await keys.rotateIfDue("reader");
  return { store, clock, sealer, newInstance, keys };
}
