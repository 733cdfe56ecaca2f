import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ServedSite } from "../../plugins/acme_task/served_site.ts";
import type { Random } from "../../harness/random.ts";
import { Server, THIS_RUNTIME } from "../../harness/server.ts";
import type { Figures } from "./figures.ts";

/** About the requests with which the orders of a round are placed, proved and fetched. */
const REQUESTS = 36;
const REQUEST = /POST \//;
const MAX_DELAY_MILLISECONDS = 40;
/** The time after which a task may be continued: longer than the claim of a run that died. */
const CLAIM_MILLISECONDS = 61_000;
const STEP_MILLISECONDS = 2000;
const PAUSE_MILLISECONDS = 50;
/** A run that takes longer hangs. */
const MAX_LOOKS = 6000;

interface Created {
  readonly id: number;
  readonly names: readonly string[];
}

/** An installation whose server is killed in each round, in the middle of orders. */
export class KilledOrders {
  readonly #site: ServedSite;
  readonly #main: string;
  readonly #random: Random;
  readonly #figures: Figures;
  readonly #broken: string[];
  readonly #clock: string;
  #offset = 0;
  #server: Server | undefined;
  #prepared: Awaited<ReturnType<ServedSite["prepare"]>> | undefined;

  /** @param broken receives what breaks a promise */
  constructor(site: ServedSite, main: string, random: Random, figures: Figures, broken: string[]) {
    this.#site = site;
    this.#main = main;
    this.#random = random;
    this.#figures = figures;
    this.#broken = broken;
    this.#clock = join(site.environment["EDGEHELM_MANIFEST"]!, "../clock");
  }

  /** Begins orders, kills the server at a random request, starts it again, and waits for the ends. */
  async orderAndKill(round: number): Promise<void> {
    this.#server ??= await this.#start();
    this.#prepared ??= await this.#site.prepare();
    const placed = this.#placed();
    const tasks = await this.#createTasks(round);
    // a person asks for the orders in every second round, and otherwise they begin by themselves
    const asked = round % 2 === 0 ? [] : tasks.map(({ id }) => {
      return this.#site.call("ACMETaskService/runACMETask", { acmeTaskId: id }).catch(() => undefined);
    });
    await this.#kill(this.#server, tasks);
    await Promise.all(asked);
    this.#noteSteps(tasks);

    this.#jump(CLAIM_MILLISECONDS);
    this.#server = await this.#start();
    await this.#untilEnded(round, tasks);
    await this.#check(round, tasks, this.#placed() - placed);
    for (const { id } of tasks) await this.#site.call("ACMETaskService/deleteACMETask", { acmeTaskId: id });
  }

  async end(): Promise<void> {
    if (await this.#server?.stop() !== 0) this.#broken.push("the last server ended with an error");
  }

  /** Kills the server at a random one of its requests to the provider, or after the last one. */
  async #kill(server: Server, tasks: readonly Created[]): Promise<void> {
    const { listeners } = this.#site.pebble;
    let requests = this.#random.below(REQUESTS);
    const delay = this.#random.oneOf([0, 0, this.#random.below(MAX_DELAY_MILLISECONDS)]);
    let isKilled = false;
    const onLine = (line: string) => {
      if (!REQUEST.test(line) || requests-- > 0) return;
      listeners.delete(onLine);
      if (delay === 0) server.kill();
      isKilled = true;
    };
    listeners.add(onLine);
    while (!isKilled && !this.#haveEnded(tasks)) await wait(PAUSE_MILLISECONDS);
    listeners.delete(onLine);
    await wait(delay);
    server.kill();
    await server.ended;
  }

  /** Waits for the ends of orders, while the clock of the server goes fast. */
  async #untilEnded(round: number, tasks: readonly Created[]): Promise<void> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      if (this.#haveEnded(tasks)) return;
      await wait(PAUSE_MILLISECONDS);
      this.#jump(STEP_MILLISECONDS);
    }
    this.#broken.push(`round ${round}: orders did not end: ${JSON.stringify(this.#openOrders(tasks))}`);
  }

  async #start(): Promise<Server> {
    this.#jump(0);
    const environment = { ...this.#site.environment, TEST_CLOCK: this.#clock };
    return this.#site.server = await Server.start(environment, THIS_RUNTIME, this.#main);
  }

  #jump(by: number): void {
    this.#offset += by;
    // renamed, so that the server never reads half of it
    writeFileSync(`${this.#clock}.new`, String(this.#offset));
    renameSync(`${this.#clock}.new`, this.#clock);
  }

  /** Two orders by DNS records, one of them with a wildcard, and one by an edge node. */
  async #createTasks(round: number): Promise<Created[]> {
    const { acmeUserId, nodeClusterId, nsClusterId } = this.#prepared!;
    const [dnsDomain, siteName] = [`r${round}.example.com`, `r${round}.example.net`];
    await this.#site.call("NSDomainService/createNSDomain", { nsClusterId, name: dnsDomain });
    await this.#site.call("ServerService/createServer", {
      ...{ type: "httpProxy", name: siteName, nodeClusterId, serverNamesJSON: [{ name: siteName }] },
    });
    const requests = [
      { authType: "dns", dnsDomain, domains: [dnsDomain, `*.${dnsDomain}`] },
      { authType: "dns", dnsDomain, domains: [`www.${dnsDomain}`] },
      { authType: "http", domains: [siteName] },
    ];
    return await Promise.all(requests.map(async (request) => {
      const task = { acmeUserId, autoRenew: true, ...request };
      const { acmeTaskId } = await this.#site.call("ACMETaskService/createACMETask", task);
      return { id: acmeTaskId as number, names: request.domains };
    }));
  }

  /** The number of orders that the provider got. */
  #placed(): number {
    return this.#site.pebble.lines.filter((line) => /Added order /.test(line)).length;
  }

  #haveEnded(tasks: readonly Created[]): boolean {
    const sql = `select count(*) from acmeTasks t where id in (${idsOf(tasks)})
      and not exists (select 1 from acmeOrders o where o.acmeTaskId = t.id and isOpen = 1)
      and exists (select 1 from acmeTaskLogs l where l.acmeTaskId = t.id)`;
    return Number(this.#site.query(sql)[0]![0]) === tasks.length;
  }

  #openOrders(tasks: readonly Created[]) {
    return this.#site.query(
      `select acmeTaskId, step from acmeOrders where isOpen = 1 and acmeTaskId in (${idsOf(tasks)})`,
    );
  }

  #noteSteps(tasks: readonly Created[]): void {
    const stepOf = new Map(this.#openOrders(tasks).map(([id, step]) => [Number(id), String(step)]));
    const ended = this.#site.query(`select acmeTaskId from acmeTaskLogs where acmeTaskId in (${idsOf(tasks)})`);
    for (const { id } of tasks) {
      const step = stepOf.get(id) ?? (ended.some(([one]) => Number(one) === id) ? "after" : "before");
      this.#figures.killedAt[step as keyof Figures["killedAt"]]++;
    }
  }

  /** An order is placed once, and ends with a certificate or in an error with the words of the provider. */
  async #check(round: number, tasks: readonly Created[], placed: number): Promise<void> {
    const { ends, provider } = this.#figures;
    provider.placed += placed;
    const fail = (text: string) => this.#broken.push(`round ${round}: ${text}`);
    for (const { id, names } of tasks) {
      ends.tasks++;
      const { acmeTask } = await this.#site.call("ACMETaskService/findEnabledACMETask", { acmeTaskId: id });
      const { isOk, error } = acmeTask.latestACMETaskLog;
      const { sslCert } = acmeTask;
      if (isOk) {
        ends.issued++;
        if (String(sslCert?.dnsNames) !== String(names)) fail(`the certificate has ${sslCert?.dnsNames}, not ${names}`);
      } else {
        ends.failed++;
        // the server was away when the provider asked the edge node
        const isDocumented = acmeTask.authType === "http" && error.includes(names[0]) && error.includes("503");
        if (!isDocumented) fail(`the order of ${names} ended in "${error}"`);
        if (acmeTask.nextAt === 0) fail(`the order of ${names} is not repeated`);
      }
      const [[certificates]] = this.#site.query(
        `select count(*) from sslCerts where state = 1 and acmeTaskId = ${id}`,
      ) as [[unknown]];
      ends.certificates += Number(certificates);
      if (Number(certificates) !== (isOk ? 1 : 0)) fail(`${names} has ${certificates} certificates`);
    }
    if (placed !== tasks.length) fail(`the provider got ${placed} orders for ${tasks.length} tasks`);
    for (const [what, sql] of Object.entries(LEFT)) {
      if (this.#site.query(sql).length > 0) fail(`${what} was left`);
    }
  }
}

/** Queries that find nothing unless an order that ended left something. */
const LEFT: Readonly<Record<string, string>> = {
  "an open order": "select 1 from acmeOrders where isOpen = 1",
  "the key of an order": "select 1 from acmeOrders where sealedKey <> ''",
  "a TXT record": "select 1 from nsRecords where type = 'TXT' and state = 1",
  "a response for edge nodes": "select 1 from acmeAuthentications",
};

function idsOf(tasks: readonly Created[]): string {
  return tasks.map(({ id }) => id).join();
}
