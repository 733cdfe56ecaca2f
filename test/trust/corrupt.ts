import { type Buffer } from "node:buffer";
import { readFileSync, writeFileSync } from "node:fs";
import { StartupError } from "../../core/base/startup_error.ts";
import { sqliteCode } from "../../core/storage/constraint.ts";
import { Random } from "../harness/random.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "./campaign.ts";
import { createTables, insertRow, NumberedDatabase, rowsOf } from "./numbered_database.ts";

const ROWS = 400;
const PAGE = 4096;

/** Damages a database file that was closed, and opens it: what the checks of SQLite see must be refused. */
export const corrupt: Campaign = {
  about: "damages the database file in one place and opens it",
  rounds: 2000,
  run: damageOften,
};

/** A kind of damage: changes bytes, or returns other ones. */
type Damage = (bytes: Buffer, random: Random) => Buffer | void;

const DAMAGES: Readonly<Record<string, Damage>> = {
  flippedBit(bytes, random) {
    const at = random.below(bytes.length);
    bytes[at] = bytes[at]! ^ 1 << random.below(8);
  },
  otherByte(bytes, random) {
    const at = random.below(bytes.length);
    bytes[at] = bytes[at]! + 1 + random.below(255);
  },
  garbage(bytes, random) {
    const at = random.below(bytes.length / 512) * 512;
    for (let offset = 0; offset < 512; offset++) bytes[at + offset] = random.below(256);
  },
  emptyPage(bytes, random) {
    const at = random.below(bytes.length / PAGE) * PAGE;
    bytes.fill(0, at, at + PAGE);
  },
  copiedPage(bytes, random) {
    const pages = bytes.length / PAGE;
    const [from, to] = [random.below(pages), random.below(pages)];
    bytes.copyWithin(to * PAGE, from * PAGE, (from + 1) * PAGE);
  },
  shorter: (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
};

async function damageOften({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const random = new Random(seed);
  using intact = new NumberedDatabase();
  const rows = await fill(intact, random);
  const whole = readFileSync(intact.path);
  const figures = { opened: 0, openedUnharmed: 0, openedChanged: 0, openedSeenByCheck: 0, refused: 0 };
  const broken: string[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 200 === 0) progress(`${round} of ${rounds} files`);
    const name = random.oneOf(Object.keys(DAMAGES));
    const copy = readFileSync(intact.path);
    const damaged = DAMAGES[name]!(copy, random) ?? copy;
    const outcome = await outcomeOf(intact, damaged, rows);
    if (outcome.error !== undefined) broken.push(`round ${round}, ${name}: ${outcome.error}`);
    if (outcome.kind === "refused") figures.refused++;
    else {
      figures.opened++;
      if (outcome.kind === "seen") figures.openedSeenByCheck++;
      else if (outcome.kind === "changed") figures.openedChanged++;
      else figures.openedUnharmed++;
    }
    if (outcome.kind === "unharmed" && damaged.length < whole.length - PAGE) {
      broken.push(`round ${round}: a file of ${damaged.length} of ${whole.length} bytes was opened as it was`);
    }
  }
  return { figures, broken };
}

async function fill(database: NumberedDatabase, random: Random): Promise<string> {
  const engine = await database.open();
  await createTables(engine);
  for (let id = 1; id <= ROWS; id++) await insertRow(engine, id, String(random.next()).repeat(1 + random.below(30)));
  const rows = await contentOf(engine);
  await engine.close();
  return rows;
}

interface Outcome {
  readonly kind: "refused" | "seen" | "changed" | "unharmed";
  /** A promise that was broken. */
  readonly error?: string;
}

/** Opens a damaged file as the next start would. */
async function outcomeOf(intact: NumberedDatabase, damaged: Buffer, rows: string): Promise<Outcome> {
  using database = new NumberedDatabase();
  intact.copyTo(database);
  writeFileSync(database.path, damaged);
  let engine;
  try {
    engine = await database.open();
  } catch (error) {
    const isUntouched = readFileSync(database.path).equals(damaged);
    if (!isUntouched) return { kind: "refused", error: "the refused file was changed" };
    return { kind: "refused", ...!(error instanceof StartupError) && { error: `it ended in ${error}` } };
  }
  try {
    if (!await passesFullCheck(engine)) return { kind: "seen", error: "it was opened although SQLite sees the damage" };
    return { kind: await contentOf(engine) === rows ? "unharmed" : "changed" };
  } finally {
    await engine.close().catch(() => undefined);
  }
}

async function passesFullCheck(engine: Parameters<typeof rowsOf>[0]): Promise<boolean> {
  try {
    const [[state] = []] = await rowsOf(engine, "pragma integrity_check(1)");
    return state === "ok";
  } catch (error) {
    if (sqliteCode(error)?.startsWith("SQLITE_CORRUPT")) return false;
    throw error;
  }
}

/** Reads texts as bytes, because the driver ends the process when it reads a text that is not UTF-8. */
async function contentOf(engine: Parameters<typeof rowsOf>[0]): Promise<string> {
  return JSON.stringify(
    (await rowsOf(engine, "select id, hex(n), hex(copy) from t order by id")).map((
      [id, ...texts],
    ) => [Number(id), ...texts]),
  );
}
