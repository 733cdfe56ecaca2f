import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../../harness/random.ts";
import { Acts } from "./acts.ts";
import { brokenRules, values } from "./checks.ts";
import { Followers } from "./followers.ts";
import { type Market, openMarket } from "./market.ts";
import { PaymentService } from "./notices.ts";
import { JOBS } from "./settings.ts";
import { Killed, ServerProcess } from "./server_process.ts";

const START = Date.UTC(2026, 0, 25, 9);
/** Longer than a lease of any job that the server held when it was killed. */
const PAUSE_MILLISECONDS = 3 * 3_600_000;
const WORKERS = 6;
const MAX_MILLISECONDS = 1500;

/** The result of a campaign. */
export interface KillResult {
  readonly kills: number;
  /** The kills while the server started or made up for what the one before left. */
  readonly early: number;
  /** The acts that were done, that were refused, and without a response because of a kill. */
  readonly done: number;
  readonly refused: number;
  readonly unreturned: number;
  /** The numbers of rows in the end. */
  readonly rows: Readonly<Record<string, number>>;
  readonly broken: readonly string[];
}

/** Kills a server again and again while money moves, and checks after each restart that nothing is half done. */
export async function killRepeatedly(
  kills: number,
  seed: number,
  progress: (text: string) => void = () => {},
): Promise<KillResult> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-kills-"));
  const campaign = new KillCampaign(directory, new Random(seed));
  try {
    await campaign.begin();
    while (campaign.result.kills < kills && campaign.result.broken.length === 0) {
      await campaign.live();
      progress(`${campaign.result.kills} of ${kills} kills`);
    }
    if (campaign.result.broken.length === 0) await campaign.finish();
    return campaign.result;
  } finally {
    await campaign.end();
    await rm(directory, { recursive: true, force: true });
  }
}

class KillCampaign {
  readonly result = {
    ...{ kills: 0, early: 0, done: 0, refused: 0, unreturned: 0 },
    rows: {} as Record<string, number>,
    broken: [] as string[],
  };
  readonly #directory: string;
  readonly #random: Random;
  #server: ServerProcess | undefined;
  #now = START;
  #market!: Market;
  #payments!: PaymentService;
  #acts!: Acts;
  #followers!: Followers;

  constructor(directory: string, random: Random) {
    this.#directory = directory;
    this.#random = random;
  }

  async begin(): Promise<void> {
    const server = this.#start();
    await server.ready;
    this.#market = await openMarket(server);
    this.#payments = new PaymentService(this.#market.secret);
    this.#acts = new Acts(this.#random, this.#market, this.#payments);
    this.#followers = new Followers(this.#market);
    await this.#kill(server);
  }

  /** Starts the server, makes up for what is open, checks, lets it act, and kills it at a random moment. */
  async live(): Promise<void> {
    const server = this.#start();
    const isEarly = this.#random.below(5) === 0;
    const delay = this.#random.below(MAX_MILLISECONDS);
    try {
      if (isEarly) await this.#killAfter(server, delay, () => this.#makeUp(server));
      else {
        await this.#makeUp(server);
        await this.#check(server);
        await this.#killAfter(server, delay, () => this.#act(server));
      }
    } finally {
      await this.#kill(server);
    }
    this.result.kills++;
    if (isEarly) this.result.early++;
  }

  /** Lets the last server finish, and checks. */
  async finish(): Promise<void> {
    const server = this.#start();
    await this.#makeUp(server);
    await this.#check(server);
    await this.#kill(server);
    for (const table of ["userBills", "userAccountLogs", "userPlans", "userTrafficPackages", "userOrders"]) {
      this.result.rows[table] = Number(values(this.#directory, `select count(*) from ${table}`)[0]);
    }
  }

  async end(): Promise<void> {
    this.#server?.kill();
    await this.#server?.ended;
  }

  #start(): ServerProcess {
    this.#now += PAUSE_MILLISECONDS;
    return this.#server = new ServerProcess(this.#directory, this.#now);
  }

  async #kill(server: ServerProcess): Promise<void> {
    server.kill();
    await server.ended;
    this.#now = Math.max(this.#now, server.now);
  }

  async #killAfter(server: ServerProcess, milliseconds: number, work: () => Promise<void>): Promise<void> {
    await server.ready;
    const timer = setTimeout(() => server.kill(), milliseconds);
    try {
      await work();
      // the moment may be after the work
      await server.ended;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #makeUp(server: ServerProcess): Promise<void> {
    await server.ready;
    await this.#payments.repeat(server);
    for (const name of JOBS) await server.send({ kind: "job", name });
    await this.#followers.poll(server);
  }

  async #check(server: ServerProcess): Promise<void> {
    this.result.broken.push(
      ...server.errors.map((line) => `the server could not finish: ${line}`),
      ...brokenRules(this.#directory, server.now),
      ...await this.#followers.differences(server),
      ...this.#lost("an entry", this.#acts.booked, "select description from userAccountLogs"),
      ...this.#lost("a plan", this.#acts.bought, "select id from userPlans"),
      ...this.#lost("a notice", this.#payments.told, "select eventId from userOrderNotices"),
    );
  }

  /** Describes what calls returned and is not there. */
  #lost(what: string, returned: ReadonlySet<unknown>, sql: string): string[] {
    const stored = new Set(values(this.#directory, sql));
    return [...returned].filter((one) => !stored.has(one)).map((one) => `${what} was lost: ${one}`);
  }

  async #act(server: ServerProcess): Promise<void> {
    await Promise.all(Array.from({ length: WORKERS }, async () => {
      for (;;) {
        try {
          await this.#acts.doOne(server);
          this.result.done++;
        } catch (error) {
          if (!(error instanceof Killed)) this.result.refused++;
          else {
            this.result.unreturned++;
            return;
          }
        }
      }
    }));
  }
}
