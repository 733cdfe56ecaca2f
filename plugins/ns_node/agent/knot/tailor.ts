import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import type { Log } from "../log.ts";
import type { Tailoring } from "../routes/compose.ts";
import { replaceFile, syncDirectory } from "../store/atomic_file.ts";
import type { KnotConfiguration } from "./configuration.ts";
import { type Knotc, word } from "./knotc.ts";

/** Tells where Knot is, and where it finds what the agent writes. */
export interface KnotTailorOptions {
  readonly knotc: Knotc;
  readonly configuration: KnotConfiguration;
  readonly socket: string;
  readonly log: Log;
  /** The directory of the files; empty for one beside the databases of Knot. */
  readonly directory: string;
  /** The path of a database of countries in MaxMind's format; empty for none. */
  readonly countries: string;
}

/** Rules of a zone that Knot has read, and does not use yet: one of both must be called before any other change. */
export interface StagedRules {
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** A module of a zone in the configuration of Knot. */
interface Module {
  readonly id: string;
  readonly mode: string;
  readonly ttl: number;
  readonly path: string;
}

const NAME = "mod-geoip";
const PREFIX = "edgehelm-";
const FOLDER = "edgehelm-routes";
const COUNTRY_KEY = "country/iso_code";
const UNKNOWN = "(invalid parameter)";
const HASH_LENGTH = 16;
const ROOT = 0;

/**
 * Has Knot respond to some clients with other records than the zone has, and choose records by weight, with its module
 * geoip. Each version of a zone's rules is in a file of its own, so that a transaction of the configuration changes to it
 * at once, and is refused if Knot cannot read it.
 */
export class KnotTailor {
  readonly #options: KnotTailorOptions;
  /** The modules of zones that Knot has, by zone name. */
  readonly #applied = new Map<string, readonly Module[]>();
  #isUsable = false;
  #lacks = "";
  #directory = "";

  constructor(options: KnotTailorOptions) {
    this.#options = options;
  }

  /** True if Knot has the module, and survives changes of its configuration with it. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  get hasCountries(): boolean {
    return this.#options.countries !== "";
  }

  /** Reads which modules zones have. */
  async read(): Promise<void> {
    const { configuration, socket, log } = this.#options;
    this.#applied.clear();
    const known = await configuration.lines(NAME).catch(() => undefined);
    const lacks = known === undefined ? "the module geoip" : isPinned(socket) ? "" : "the module geoip in LD_PRELOAD";
    if (lacks !== this.#lacks && known !== undefined && lacks !== "") {
      log.warn("routes and weights are left out: without the module in LD_PRELOAD, Knot crashes", { lacks });
    }
    this.#lacks = lacks;
    this.#isUsable = lacks === "";
    if (!this.#isUsable || known === undefined) return;
    this.#directory = this.#options.directory || join(await storageOf(configuration), FOLDER);
    const modules = modulesOf(known);
    for (const line of await configuration.lines("zone")) {
      const [, zone = "", values = ""] = /^zone\[([^\]]+)\.\]\.module = (.*)$/.exec(line) ?? [];
      const own = values.split(" ").flatMap((value) => modules.get(value.slice(NAME.length + 1)) ?? []);
      if (own.length > 0) this.#applied.set(zone, [...this.#applied.get(zone) ?? [], ...own]);
    }
    await this.#forgetOthers([...modules.keys()]);
  }

  /**
   * Prepares all for Knot to tailor its responses for a zone, so that the change itself takes no time.
   *
   * @param version changes when signatures must be made again although the records are the same
   * @returns undefined if nothing changes
   */
  async stage(
    id: string,
    zone: string,
    tailorings: readonly Tailoring[],
    version: string,
  ): Promise<StagedRules | undefined> {
    const before = this.#applied.get(zone) ?? [];
    if (!this.#isUsable || before.length === 0 && tailorings.length === 0) return undefined;
    const wanted = tailorings.map(({ key, mode, ttl, text }): Module => {
      const hash = createHash("sha256").update(`${text}\n${version}`).digest("hex").slice(0, HASH_LENGTH);
      return { id: `${PREFIX}${id}-${key}`, mode, ttl, path: join(this.#directory, `${id}-${key}-${hash}.conf`) };
    });
    const isSame = before.length === wanted.length && before.every((module, at) => isEqual(module, wanted[at]!));
    if (isSame && wanted.every(({ path }) => existsSync(path))) return undefined;
    for (const [index, { path }] of wanted.entries()) this.#write(path, tailorings[index]!.text);
    await this.#stage([
      ...before.map((module) => `conf-unset zone[${zone}].module ${NAME}/${module.id}`),
      ...before.map((module) => `conf-unset ${NAME}[${module.id}]`),
      ...wanted.flatMap((module) => this.#settings(module)),
      ...wanted.map((module) => `conf-set zone[${zone}].module ${NAME}/${module.id}`),
    ]);
    const { configuration } = this.#options;
    return {
      commit: async () => {
        await configuration.commit();
        this.#applied.set(zone, wanted);
        this.#removeFiles((file) => file.startsWith(`${id}-`) && !wanted.some(({ path }) => basename(path) === file));
      },
      abort: () => configuration.abort(),
    };
  }

  /** Removes the modules of a zone that Knot no longer has. */
  async forget(zone: string): Promise<void> {
    const before = this.#applied.get(zone);
    if (before === undefined) return;
    await this.#stage(before.map(({ id }) => `conf-unset ${NAME}[${id}]`));
    await this.#options.configuration.commit();
    this.#applied.delete(zone);
    const files = new Set(before.map(({ path }) => basename(path)));
    this.#removeFiles((file) => files.has(file));
  }

  /** Knot forgets with each change of its configuration what the module is, until it loads all of the configuration. */
  async #stage(commands: readonly string[]): Promise<void> {
    const { configuration, knotc } = this.#options;
    try {
      await configuration.stage(commands);
    } catch (error) {
      if (!String(error).includes(UNKNOWN)) throw error;
      await knotc.run("reload");
      await configuration.stage(commands);
    }
  }

  /** Removes the modules of zones that Knot no longer has. */
  async #forgetOthers(ids: readonly string[]): Promise<void> {
    const used = new Set([...this.#applied.values()].flat().map(({ id }) => id));
    const others = ids.filter((id) => !used.has(id));
    if (others.length > 0) {
      await this.#stage(others.map((id) => `conf-unset ${NAME}[${id}]`));
      await this.#options.configuration.commit();
    }
    const paths = new Set([...this.#applied.values()].flat().map(({ path }) => path));
    this.#removeFiles((file) => !paths.has(join(this.#directory, file)));
  }

  #settings({ id, mode, ttl, path }: Module): string[] {
    const item = `${NAME}[${id}]`;
    const countries = [
      `conf-set ${item}.geodb-file ${word(this.#options.countries)}`,
      `conf-set ${item}.geodb-key ${COUNTRY_KEY}`,
    ];
    return [
      ...[`conf-set ${item}`, `conf-set ${item}.mode ${mode}`, `conf-set ${item}.ttl ${ttl}`],
      `conf-set ${item}.config-file ${word(path)}`,
      ...mode === "geodb" ? countries : [],
    ];
  }

  /** Writes a file that belongs to the user of Knot. */
  #write(path: string, text: string): void {
    const isNew = !existsSync(this.#directory);
    if (isNew) mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) replaceFile(path, text);
    if (process.getuid?.() !== ROOT) return;
    const { uid, gid } = statSync(this.#options.socket);
    for (const one of isNew ? [this.#directory, path] : [path]) chownSync(one, uid, gid);
  }

  #removeFiles(isOld: (file: string) => boolean): void {
    if (!existsSync(this.#directory)) return;
    const old = readdirSync(this.#directory).filter(isOld);
    for (const file of old) rmSync(join(this.#directory, file), { force: true });
    if (old.length > 0) syncDirectory(this.#directory);
  }
}

/** Returns the modules of this agent by their ids. */
function modulesOf(lines: readonly string[]): Map<string, Module> {
  const found = new Map<string, Record<string, string>>();
  for (const line of lines) {
    const [, id = "", item = "", value = ""] = /^mod-geoip\[([^\]]+)\]\.([a-z-]+) = (.*)$/.exec(line) ?? [];
    if (id.startsWith(PREFIX)) found.set(id, { ...found.get(id), [item]: value.replaceAll('"', "") });
  }
  return new Map([...found].map(([id, items]) => {
    const { mode = "subnet", ttl = "0", "config-file": path = "" } = items;
    return [id, { id, mode, ttl: Number(ttl), path }];
  }));
}

function isEqual(a: Module, b: Module): boolean {
  return a.id === b.id && a.mode === b.mode && a.ttl === b.ttl && a.path === b.path;
}

/** Returns true if the module stays in the memory of Knot: it crashes when it loads the module again otherwise. */
function isPinned(socket: string): boolean {
  try {
    const pid = readFileSync(join(dirname(socket), "knot.pid"), "utf8").trim();
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return variables.some((variable) => variable.startsWith("LD_PRELOAD=") && variable.includes("geoip.so"));
  } catch {
    return false;
  }
}

async function storageOf(configuration: KnotConfiguration): Promise<string> {
  const lines = await configuration.lines("database").catch(() => []);
  const storage = lines.find((line) => line.startsWith("database.storage = "))?.split(" = ")[1];
  return storage?.replaceAll('"', "") ?? "/var/lib/knot";
}
