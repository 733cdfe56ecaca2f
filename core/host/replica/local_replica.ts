import type { Logger } from "../../base/log.ts";
import type { SqlResult } from "../../storage/engine.ts";
import type { Question } from "../../storage/remote/read_prefetcher.ts";
import type { ReadReplica } from "../../storage/remote/replica.ts";
import { ChildProgram } from "../child/child_program.ts";
import type { ReplicaReply, ReplicaRequest, ReplicaSource } from "./replica_message.ts";

/** All in milliseconds but the last. */
export interface ReplicaLimits {
  /** How long a read waits for the copy before the database itself is asked. */
  readonly patience: number;
  /** How long the process may take to answer anything before it is stopped. */
  readonly stuckTime: number;
  /** The same of its first answer, for which it may have to fetch the whole database. */
  readonly firstTime: number;
  /** The longest pause before the process is started again. */
  readonly longestPause: number;
  /** Times that looking for news may fail, for another reason than a server that is not there, before a new copy. */
  readonly failures: number;
}

export const REPLICA_LIMITS: ReplicaLimits = {
  patience: 500,
  stuckTime: 10_000,
  firstTime: 30 * 60_000,
  longestPause: 30_000,
  failures: 3,
};

export interface ReplicaOptions extends Omit<ReplicaSource, "anew"> {
  readonly log: Logger;
  readonly limits?: Partial<ReplicaLimits>;
}

interface Asked {
  readonly at: number;
  readonly answer: (results: readonly SqlResult[] | undefined) => void;
}

type Child = ChildProgram<ReplicaSource | ReplicaRequest, ReplicaReply>;

const SHORTEST_PAUSE = 1000;
const SERVER_IS_AWAY = /connect|transport|unavailable|timed? ?out|dns|hyper|tcp|reset|broken pipe/i;

/** A copy of a remote database on this machine, kept by a process of its own. */
export class LocalReplica implements ReadReplica {
  readonly #options: ReplicaOptions;
  readonly #limits: ReplicaLimits;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #child: Child | undefined;
  /** In the order in which they will be answered. */
  #asked: Asked[] = [];
  #written = 0;
  #hasAnswered = false;
  /** Whether reads are answered; undefined until that is known. */
  #isFit: boolean | undefined;
  #failures = 0;
  #pause = SHORTEST_PAUSE;
  #startAt = 0;
  #anew = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#limits = { ...REPLICA_LIMITS, ...options.limits };
    this.#heartbeat = setInterval(() => this.#beat(), options.greatestAge);
    this.#beat();
  }

  /** Of the process that keeps it, for tests and operators. */
  get processId(): number | undefined {
    return this.#child?.processId;
  }

  read(questions: readonly Question[]): Promise<readonly SqlResult[] | undefined> {
    if (this.#isFit !== true || this.#child === undefined) return Promise.resolve(undefined);
    const statements = questions.map(({ statement: { sql }, parameters }) => ({ sql, parameters }));
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#unfit("it does not answer in time");
        resolve(undefined);
      }, this.#limits.patience);
      this.#ask(statements, (results) => {
        clearTimeout(timer);
        resolve(results);
      });
    });
  }

  outdate(): void {
    this.#written++;
  }

  close(): Promise<void> {
    clearInterval(this.#heartbeat);
    const child = this.#child;
    this.#child = undefined;
    child?.kill();
    this.#giveUp();
    return Promise.resolve();
  }

  /** Looks for news, so that reads seldom have to, and sees to the process. */
  #beat(): void {
    const now = performance.now();
    if (this.#child === undefined) {
      if (now >= this.#startAt) this.#start();
      return;
    }
    const [oldest] = this.#asked;
    if (oldest === undefined) this.#ask([], () => {});
    else {
      const { stuckTime, firstTime } = this.#limits;
      if (now - oldest.at > (this.#hasAnswered ? stuckTime : firstTime)) this.#child.kill();
    }
  }

  #start(): void {
    const program = import.meta.url.replace("local_replica", "replica_process");
    const { directory, url, token, greatestAge } = this.#options;
    const child: Child = new ChildProgram("the replica", program, [], {
      reply: (reply) => child === this.#child && this.#replied(reply),
      // one that was stopped ends once more, when the next runs already
      end: (error) => child === this.#child && this.#ended(error),
    });
    this.#child = child;
    this.#hasAnswered = false;
    child.send({ directory, url, token, greatestAge, anew: this.#anew });
    this.#anew = false;
    this.#ask([], () => {});
  }

  #ask(statements: ReplicaRequest["statements"], answer: Asked["answer"]): void {
    this.#asked.push({ at: performance.now(), answer });
    this.#child!.send({ covers: this.#written, statements });
  }

  #replied(reply: ReplicaReply): void {
    const asked = this.#asked.shift();
    this.#hasAnswered = true;
    if ("fault" in reply) {
      this.#unfit(reply.fault);
      this.#failed(reply.fault);
    } else {
      this.#failures = 0;
      this.#pause = SHORTEST_PAUSE;
      if (this.#asked.length === 0) this.#fit();
    }
    asked?.answer("results" in reply ? reply.results : undefined);
  }

  /** A copy that cannot be brought up to date is of a database that is not there any more. */
  #failed(fault: string): void {
    if (SERVER_IS_AWAY.test(fault)) return;
    this.#failures++;
    if (this.#failures < this.#limits.failures) return;
    this.#failures = 0;
    this.#anew = true;
    this.#child?.kill();
  }

  #ended(error: Error): void {
    this.#child = undefined;
    this.#unfit(error.message);
    this.#giveUp();
    this.#startAt = performance.now() + this.#pause;
    this.#pause = Math.min(this.#pause * 2, this.#limits.longestPause);
  }

  #giveUp(): void {
    for (const { answer } of this.#asked.splice(0)) answer(undefined);
  }

  #fit(): void {
    if (this.#isFit !== true) this.#options.log.info("reads are answered by the replica");
    this.#isFit = true;
  }

  #unfit(reason: string): void {
    if (this.#isFit !== false) {
      this.#options.log.warn("reads are answered by the database, not the replica", { reason });
    }
    this.#isFit = false;
  }
}
