import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { CallError } from "../../harness/call_error.ts";
import { readDatabase } from "../../harness/read_database.ts";
import type { Random } from "../../harness/random.ts";
import { Server } from "../../harness/server.ts";
import { WIRES } from "../../harness/wire.ts";
import { compare } from "../kills/comparison.ts";
import { Figures } from "../kills/figures.ts";
import { type Kind, prepareKinds } from "../kills/kinds.ts";
import { Writer } from "../kills/writer.ts";
import { NoResponse } from "../no_response.ts";
import { WireCaller } from "../wire_caller.ts";
import type { Outage } from "./outages.ts";

const WRITERS = 8;
const UNAVAILABLE = 503;
const PAUSE_MILLISECONDS = 20;
const REFUSALS = 40;
/** The number of writes during an outage that refuses none. */
const WRITES_MEANWHILE = 200;

/** The numbers of a run, beside those of its writers. */
export interface OutageFigures {
  outages: number;
  refused: number;
  withoutResponse: number;
  reads: number;
  acknowledgedMeanwhile: number;
}

/** An installation whose server meets outages under writes, and is killed after each. */
export class FailingInstallation {
  readonly writers = new Figures();
  readonly #environment: Record<string, string>;
  readonly #random: Random;
  readonly #figures: OutageFigures;
  readonly #broken: string[];
  readonly #database: string;
  #kinds: readonly Kind[] = [];
  #writers: readonly Writer[] = [];
  #stops = false;
  /** The number of writers that have not failed. */
  #running = 0;
  /** The writers that an outage refused: what they do next began in it. */
  readonly #refusedWriters = new Set<Writer>();

  constructor(environment: Record<string, string>, random: Random, figures: OutageFigures, broken: string[]) {
    this.#environment = environment;
    this.#random = random;
    this.#figures = figures;
    this.#broken = broken;
    this.#database = join(environment["EDGEHELM_DATA"]!, "edgehelm.db");
  }

  /** Starts the server, lets it meet the outage, and kills it. */
  async meet(outage: Outage, round: string): Promise<void> {
    const server = await Server.start(this.#environment);
    try {
      const token = await server.adminToken();
      if (this.#kinds.length === 0) await this.#prepare(server, token);
      for (const writer of this.#writers) writer.connect(server, token);
      [this.#stops, this.#running] = [false, 0];
      const writing = Promise.allSettled(this.#writers.map((writer) => this.#writeOn(writer)));
      await this.#written(WRITES_MEANWHILE);
      const end = await outage.begin(server, this.#database);
      this.#refusedWriters.clear();
      try {
        await this.#endure(outage, round, server, token);
      } finally {
        await end();
      }
      this.#stops = true;
      for (const outcome of await writing) {
        if (outcome.status === "rejected") this.#broken.push(`${round}: ${outcome.reason}`);
      }
      await this.#writeAtOnce(outage, round, server);
    } finally {
      for (const writer of this.#writers) writer.disconnect();
      server.kill();
      await server.ended;
    }
    this.#compare(round);
    this.#figures.outages++;
  }

  async #prepare(server: Server, token: string): Promise<void> {
    this.#kinds = await prepareKinds(new WireCaller(server, token, "http"));
    const names = Array.from({ length: WRITERS }, (_, index) => `w${index}`);
    this.#writers = names.map((name) => new Writer(name, this.#kinds, this.#random, this.writers));
  }

  /** Writes and, after an error that tells to try again, repeats. */
  async #writeOn(writer: Writer): Promise<void> {
    this.#running++;
    while (!this.#stops) {
      try {
        await writer.write();
      } catch (error) {
        this.#refusedWriters.add(writer);
        if (error instanceof CallError && error.code === UNAVAILABLE) this.#figures.refused++;
        else if (error instanceof NoResponse) this.#figures.withoutResponse++;
        else {
          this.#running--;
          throw error;
        }
        await wait(PAUSE_MILLISECONDS);
      }
    }
  }

  async #endure(outage: Outage, round: string, server: Server, token: string): Promise<void> {
    const { acknowledged } = this.writers;
    if (outage.refusesNone) return await this.#written(WRITES_MEANWHILE);
    await this.#refused(REFUSALS);
    // the response to a write from before the outage may come late
    while (outage.refusesAll && this.#refusedWriters.size < this.#running) await wait(1);
    const before = acknowledged.acknowledged;
    for (const wire of WIRES) {
      const caller = new WireCaller(server, token, wire);
      await caller.call(NSDomainGroupService.method.findAllNSDomainGroups, {});
      caller.close();
      this.#figures.reads++;
    }
    const readiness = await (await fetch(`${server.url}/readyz`)).text();
    if (outage.refusesAll && readiness === "ok\n") {
      this.#broken.push(`${round}: /readyz says ${JSON.stringify(readiness)}`);
    }
    await this.#refused(REFUSALS);
    const meanwhile = acknowledged.acknowledged - before;
    this.#figures.acknowledgedMeanwhile += meanwhile;
    if (outage.refusesAll && meanwhile > 0) this.#broken.push(`${round}: ${meanwhile} writes were acknowledged`);
  }

  /** The first writes after an outage must work, and the log must name it once. */
  async #writeAtOnce(outage: Outage, round: string, server: Server): Promise<void> {
    for (const outcome of await Promise.allSettled(this.#writers.map((writer) => writer.write()))) {
      if (outcome.status === "rejected") this.#broken.push(`${round}, when it was over: ${outcome.reason}`);
    }
    while (await (await fetch(`${server.url}/readyz`)).text() !== "ok\n") await wait(PAUSE_MILLISECONDS);
    const reports = server.output.match(/writes fail, reads go on/g)?.length ?? 0;
    if (outage.refusesAll && reports !== 1) {
      this.#broken.push(`${round}: the log says ${reports} times that writes fail`);
    }
  }

  #compare(round: string): void {
    const query = (sql: string) => readDatabase(this.#database, sql);
    const { happened, ...differences } = compare(query, this.#kinds, this.#writers);
    this.writers.changes.happenedWithoutResponse += happened;
    for (const [name, texts] of Object.entries(differences)) {
      this.writers.errors[name as keyof typeof differences] += texts.length;
      this.#broken.push(...texts.map((text) => `${round}: ${text}`));
    }
    const [state] = query("pragma integrity_check(1)");
    if (state?.[0] === "ok") return;
    this.writers.errors.damaged++;
    this.#broken.push(`${round} left a damaged database: ${state?.[0]}`);
  }

  async #written(count: number): Promise<void> {
    const end = this.writers.acknowledged.acknowledged + count;
    while (this.writers.acknowledged.acknowledged < end && this.#running > 0) await wait(1);
  }

  async #refused(count: number): Promise<void> {
    const end = this.#figures.refused + count;
    while (this.#figures.refused < end && this.#running > 0) await wait(1);
  }
}
