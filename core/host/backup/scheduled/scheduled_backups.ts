import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { InstallationKey } from "../../../auth/installation_key.ts";
import type { Call } from "../../../base/call.ts";
import type { Clock } from "../../../base/clock.ts";
import { kernelErrors } from "../../../base/errors.ts";
import { errorText, type Logger } from "../../../base/log.ts";
import { PROGRAM_VERSION } from "../../../base/version.ts";
import { errorMessage } from "../../settings/files.ts";
import type { BackupSettings } from "../../settings/backup_settings.ts";
import { encryptBackup } from "../format/encryption.ts";
import { backupName, readBackupName } from "../format/names.ts";
import { createPrivate } from "../format/private_file.ts";
import { snapshot } from "../snapshot.ts";
import type { BackupStore } from "../stores/store.ts";
import type { BackupRecord, BackupRecords } from "./records.ts";
import { checkStored } from "./check.ts";
import { expiredBackups } from "./retention.ts";

const HOUR_MILLISECONDS = 3_600_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;
const MAX_ERROR = 500;

export interface ScheduledBackupDeps {
  readonly records: BackupRecords;
  readonly store: BackupStore;
  readonly settings: BackupSettings;
  /** The path of the database. Drafts are written beside it. */
  readonly database: string;
  /** Returns the installation keys of the database, the current one first. */
  readonly keys: () => readonly InstallationKey[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Makes backups of the database of a running server, removes expired ones, and checks the newest from time to time. */
export class ScheduledBackups {
  readonly #deps: ScheduledBackupDeps;
  #known: readonly BackupRecord[] = [];
  #lastTurn: Promise<unknown> = Promise.resolve();
  #loggedReasons = "";
  #waiting = 0;
  /** The time from which a first backup is expected, in unix milliseconds. */
  readonly startedAt: bigint;

  constructor(deps: ScheduledBackupDeps) {
    this.#deps = deps;
    this.startedAt = BigInt(Math.floor(deps.clock.now()));
  }

  /** Reads the records, which `known` and `degraded` describe from then on. */
  async load(call: Call): Promise<void> {
    this.#known = await this.#deps.records.all(call);
  }

  /** True while a backup is made or checked. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** The recorded backups, the newest first. */
  get known(): readonly BackupRecord[] {
    return this.#known;
  }

  /** The newest backup; undefined if there is none. One from the future, when the clock was wrong, does not count. */
  get newest(): BackupRecord | undefined {
    return this.#known.find(({ madeAt }) => Number(madeAt) <= this.#deps.clock.now());
  }

  /** The backup that was checked last; undefined if none was. */
  get lastChecked(): BackupRecord | undefined {
    return this.#known.filter(({ checkedAt }) => checkedAt !== null)
      .sort((one, other) => Number(other.checkedAt! - one.checkedAt!))[0];
  }

  /** Returns the time since `at` in milliseconds. */
  age(at: bigint): number {
    return this.#deps.clock.now() - Number(at);
  }

  /** Returns what is not as it should be, for /readyz. */
  degraded(): string[] {
    const { maxAgeHours } = this.#deps.settings;
    const { newest, lastChecked } = this;
    const reasons: string[] = [];
    if (newest === undefined) reasons.push("no backup was made yet");
    else if (this.age(newest.madeAt) > maxAgeHours * HOUR_MILLISECONDS) {
      const hours = Math.floor(this.age(newest.madeAt) / HOUR_MILLISECONDS);
      reasons.push(`the newest backup is ${hours} hours old, more than the ${maxAgeHours} of its setting`);
    }
    if (lastChecked !== undefined && lastChecked.checkError !== null) reasons.push("the last check of a backup failed");
    return reasons;
  }

  /** Makes a backup if the newest one that still exists is old enough. */
  async makeIfDue(call: Call): Promise<void> {
    try {
      await this.#forgetMissing(call);
      const { newest } = this;
      const interval = this.#deps.settings.everyHours * HOUR_MILLISECONDS;
      if (newest === undefined || this.age(newest.madeAt) >= interval) await this.make(call);
    } finally {
      this.#logDegraded();
    }
  }

  /** Makes a backup now. */
  make(call: Call): Promise<BackupRecord> {
    return this.#inTurn(() => this.#make(call));
  }

  async #make(call: Call): Promise<BackupRecord> {
    const { records, store, database, keys, clock, log } = this.#deps;
    const draft = `${database}.backup-draft`;
    const madeAt = Math.floor(clock.now());
    try {
      await rm(draft, { force: true });
      await createPrivate(draft);
      const { keyCheck, ...facts } = await snapshot({ source: database, target: draft }, undefined, call.signal);
      const key = keys()[0]!;
      if (!await key.matches(keyCheck)) throw kernelErrors.unavailable("the installation key was replaced meanwhile");
      const { size } = await stat(draft);
      const { bytes, chunks } = await encryptBackup(createReadStream(draft), {
        ...{ installationId: facts.installationId, tables: facts.tables, rows: facts.rows },
        ...{ madeAt: new Date(madeAt).toISOString(), version: PROGRAM_VERSION, bytes: size },
      }, key);
      const name = backupName(facts.installationId, madeAt);
      await store.put(name, bytes, chunks, call.signal);
      const made = { name, madeAt: BigInt(madeAt), bytes: BigInt(bytes), rows: BigInt(facts.rows) };
      await records.insert(call, made);
      await this.load(call);
      log.info("backup made", { name, bytes, rows: facts.rows, seconds: (clock.now() - madeAt) / 1000 });
      await this.#removeExpired(call, facts.installationId);
      return { ...made, checkedAt: null, checkError: null };
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Removes expired backups of this installation, but never the last one that passed its check. */
  async #removeExpired(call: Call, installationId: string): Promise<void> {
    const { records, store, settings, log } = this.#deps;
    const lastGood = this.#known.find(({ checkedAt, checkError }) => checkedAt !== null && checkError === null)?.name;
    try {
      const named = (await store.list(call.signal)).flatMap(({ name }) => readBackupName(name) ?? []);
      const own = named.filter((backup) => backup.installationId === installationId);
      for (const { name } of expiredBackups(own, settings).filter(({ name }) => name !== lastGood)) {
        await store.remove(name, call.signal);
        await records.remove(call, [name]);
        log.info("expired backup removed", { name });
      }
    } catch (error) {
      log.warn("expired backups not removed", { error: errorText(error) });
    }
    await this.load(call);
  }

  /** Forgets backups that were removed from the store by other means, so that they are not taken for existing ones. */
  async #forgetMissing(call: Call): Promise<void> {
    const { records, store, log } = this.#deps;
    if (this.#known.length === 0) return;
    const stored = new Set((await store.list(call.signal)).map(({ name }) => name));
    const missing = this.#known.map(({ name }) => name).filter((name) => !stored.has(name));
    if (missing.length === 0) return;
    for (const name of missing) log.warn("backup missing in its store", { name, place: store.place });
    await records.remove(call, missing);
    await this.load(call);
  }

  /** Checks the newest backup if the last check is old enough. One that failed is repeated after a day. */
  async checkIfDue(call: Call): Promise<void> {
    const { newest, lastChecked } = this;
    if (newest === undefined) return;
    const days = lastChecked?.checkError === null ? this.#deps.settings.checkDays : 1;
    if (lastChecked !== undefined && this.age(lastChecked.checkedAt!) < days * DAY_MILLISECONDS) return;
    await this.check(call, newest.name);
  }

  /**
   * Restores a backup into a temporary file, checks it and records the outcome.
   *
   * @throws StartupError with the reason why it cannot be restored
   */
  check(call: Call, name: string): Promise<void> {
    return this.#inTurn(() => this.#check(call, name));
  }

  async #check(call: Call, name: string): Promise<void> {
    const { records, store, database, keys, clock, log } = this.#deps;
    const record = async (checkError: string | null) => {
      await records.recordCheck(call, { name, checkedAt: BigInt(Math.floor(clock.now())), checkError });
      await this.load(call);
    };
    try {
      const facts = await checkStored(store, name, `${database}.check-draft`, keys(), call.signal);
      await record(null);
      log.info("backup checked", { name, rows: facts.rows, tables: facts.tables, version: facts.version });
    } catch (error) {
      if (call.signal.aborted) throw error;
      await record(errorMessage(error).slice(0, MAX_ERROR));
      log.error("backup check failed", { name, error: errorText(error) });
      throw error;
    } finally {
      this.#logDegraded();
    }
  }

  /** Logs a change of what is not as it should be, once. */
  #logDegraded(): void {
    const reasons = this.degraded().join("; ");
    // the age in the text grows with every run
    const kind = reasons.replaceAll(/\d/g, "");
    if (kind === this.#loggedReasons) return;
    this.#loggedReasons = kind;
    if (reasons === "") this.#deps.log.info("backups are as they should be again");
    else this.#deps.log.error("backups need attention", { reasons });
  }

  /** Runs one piece of work after the other, because each has a draft of a fixed name. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting++;
    const turn = this.#lastTurn.then(work).finally(() => this.#waiting--);
    this.#lastTurn = turn.catch(() => undefined);
    return await turn;
  }
}
