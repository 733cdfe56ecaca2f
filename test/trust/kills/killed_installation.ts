import { join } from "node:path";
import { readDatabase } from "../../harness/read_database.ts";
import type { Random } from "../../harness/random.ts";
import { runToEnd, Server } from "../../harness/server.ts";
import { WireCaller } from "../wire_caller.ts";
import { compare } from "./comparison.ts";
import type { Figures } from "./figures.ts";
import { type Kind, prepareKinds } from "./kinds.ts";
import { Writer } from "./writer.ts";

const WRITERS = 32;
const MIN_MILLISECONDS = 50;
const MAX_MILLISECONDS = 2000;

/** An installation whose server is killed in each round, with the clients that know what it acknowledged. */
export class KilledInstallation {
  readonly #environment: Record<string, string>;
  readonly #random: Random;
  readonly #figures: Figures;
  readonly #broken: string[];
  #kinds: readonly Kind[] = [];
  #writers: readonly Writer[] = [];

  /** @param broken receives what breaks a promise */
  constructor(environment: Record<string, string>, random: Random, figures: Figures, broken: string[]) {
    this.#environment = environment;
    this.#random = random;
    this.#figures = figures;
    this.#broken = broken;
  }

  /** Starts the server, repeats what the last kill left without a response, and kills it under writes. */
  async writeAndKill(round: string): Promise<void> {
    await this.#serve(round, async (server) => {
      const delay = MIN_MILLISECONDS + this.#random.below(MAX_MILLISECONDS - MIN_MILLISECONDS);
      const timer = setTimeout(() => server.kill(), delay);
      await this.#each(round, (writer) => writer.writeUntilKilled());
      clearTimeout(timer);
    });
    const [state] = this.#query("pragma integrity_check(1)");
    if (state?.[0] !== "ok") this.#fail("damaged", `${round} left a damaged database: ${state?.[0]}`);
    this.#compare(round);
  }

  /** Repeats what the last kill left without a response, stops the server, and checks the audit log. */
  async end(round: string): Promise<void> {
    await this.#serve(round, async (server) => void await server.stop());
    const { code, output } = await runToEnd(["audit", "verify"], this.#environment);
    if (code !== 0) this.#fail("damaged", `${round}: ${output}`);
    for (const kind of this.#kinds) {
      const made = this.#writers.reduce((sum, { acknowledged }) => sum + (acknowledged.get(kind) ?? 0), 0);
      const sql =
        `select coalesce(sum(count), 0) from kernel_audit where operation like '/${kind.service}/%' and code = 200`;
      const audited = Number(this.#query(sql)[0]![0]);
      this.#figures.audit.audited += audited;
      if (audited !== made) {
        this.#fail("contradictions", `${round}: ${audited} audit records of ${made} changes of a ${kind.name}`);
      }
    }
  }

  async #serve(round: string, use: (server: Server) => Promise<void>): Promise<void> {
    const server = await Server.start(this.#environment);
    try {
      const token = await server.adminToken();
      if (this.#kinds.length === 0) await this.#prepare(server, token);
      for (const writer of this.#writers) writer.connect(server, token);
      await this.#each(round, (writer) => writer.repeat());
      this.#compare(`${round}, after repeating`);
      await use(server);
    } finally {
      for (const writer of this.#writers) writer.disconnect();
      server.kill();
      await server.ended;
    }
  }

  async #prepare(server: Server, token: string): Promise<void> {
    this.#kinds = await prepareKinds(new WireCaller(server, token, "http"));
    const names = Array.from({ length: WRITERS }, (_, index) => `w${index}`);
    this.#writers = names.map((name) => new Writer(name, this.#kinds, this.#random, this.#figures));
  }

  async #each(round: string, act: (writer: Writer) => Promise<void>): Promise<void> {
    for (const outcome of await Promise.allSettled(this.#writers.map(act))) {
      if (outcome.status === "rejected") this.#fail("failed", `${round}: ${outcome.reason}`);
    }
  }

  #compare(round: string): void {
    const { happened, ...differences } = compare((sql) => this.#query(sql), this.#kinds, this.#writers);
    this.#figures.changes.happenedWithoutResponse += happened;
    for (const [name, texts] of Object.entries(differences)) {
      for (const text of texts) this.#fail(name as keyof typeof differences, `${round}: ${text}`);
    }
  }

  #fail(name: keyof Figures["errors"], text: string): void {
    this.#figures.errors[name]++;
    this.#broken.push(text);
  }

  #query(sql: string): ReturnType<typeof readDatabase> {
    return readDatabase(join(this.#environment["EDGEHELM_DATA"]!, "edgehelm.db"), sql);
  }
}
