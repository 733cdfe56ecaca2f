import type { Random } from "../../harness/random.ts";
import { eachLimited } from "../../../plugins/message_task/each_limited.ts";
import { SENDING } from "../../../plugins/message_task/store.ts";
import type { BurstSite } from "./burst_site.ts";
import { checkBurst, type StoredMessage } from "./check_burst.ts";
import type { Figures } from "./figures.ts";
import type { KillPoint } from "./hook_receiver.ts";

const CREATORS = 8;
/** Every tenth message is sent before the others. */
const PRIMARY = 10;
const KILL_POINTS: readonly KillPoint[] = ["untaken", "taken", "responded"];
/** A run that takes longer hangs. */
const MAX_RUNS = 1000;

/** A burst of messages whose sender is killed again and again. */
export class KilledBurst {
  readonly #site: BurstSite;
  readonly #random: Random;
  readonly #figures: Figures;
  readonly #broken: string[];
  readonly #name: string;
  readonly #acknowledged = new Map<string, number>();
  readonly #interrupted = new Set<number>();
  /** The server that takes creations, once it is there. */
  #serving = Promise.withResolvers<void>();

  /** @param broken receives what breaks a promise */
  constructor(site: BurstSite, random: Random, figures: Figures, broken: string[]) {
    this.#site = site;
    this.#random = random;
    this.#figures = figures;
    this.#broken = broken;
    this.#name = `burst ${figures.messages.bursts++}`;
  }

  async send(messages: number, kills: number): Promise<void> {
    this.#serving.resolve();
    const created = this.#createAll(messages);
    created.catch(() => {});
    for (let kill = 0; kill < kills; kill++) {
      await this.#sendAndKill(messages, this.#random.below(this.#unsent(messages) / (kills - kill)));
      this.#noteInterrupted();
      await this.#site.restart();
      this.#serving.resolve();
    }
    await created;
    await this.#untilSent(messages);
    const burst = { name: this.#name, messages, kills, acknowledged: this.#acknowledged };
    checkBurst(
      { ...burst, stored: this.#stored(), interrupted: this.#interrupted },
      this.#site,
      this.#figures,
      this.#broken,
    );
    await this.#sendAgain();
  }

  /** Sends until the receiver kills the server at a message, or all are sent. */
  async #sendAndKill(messages: number, after: number): Promise<void> {
    const { server, hooks, mails } = this.#site;
    const { killedAt } = this.#figures;
    let [arrivals, isKilled] = [0, false];
    const kill = () => {
      if (isKilled) return;
      this.#serving = Promise.withResolvers();
      isKilled = true;
      server.kill();
    };
    const isTime = () => arrivals++ === after;
    const onMail = () => {
      if (!isTime()) return;
      killedAt.mail++;
      kill();
    };
    hooks.kill = kill;
    hooks.nextKill = () => {
      if (!isTime()) return undefined;
      const point = this.#random.oneOf(KILL_POINTS);
      killedAt[point]++;
      return point;
    };
    mails.listeners.add(onMail);
    await this.#untilSent(messages, () => isKilled);
    if (!isKilled) killedAt.idle++;
    kill();
    await server.ended;
    mails.listeners.delete(onMail);
    hooks.nextKill = () => undefined;
  }

  /** Runs the job until all messages are sent or failed. */
  async #untilSent(messages: number, isOver = () => false): Promise<void> {
    for (let run = 0; run < MAX_RUNS && !isOver(); run++) {
      const request = { jobName: "message_task.send" };
      const isRun = await this.#site.call("InstallationService/runInstallationJob", request).then(
        () => true,
        () => false,
      );
      if (isRun && this.#unsent(messages) === 0) return;
    }
    if (!isOver()) this.#broken.push(`${this.#name}: not all messages were sent or failed`);
  }

  /** Creates the messages; a creation that a kill interrupts is repeated with its key. */
  async #createAll(messages: number): Promise<void> {
    const { hookInstanceId, mailInstanceId } = this.#site;
    const numbers = Array.from({ length: messages }, (_, number) => number);
    await eachLimited(numbers, CREATORS, async (number) => {
      const subject = `${this.#name}, message ${number}`;
      const messageMediaInstanceId = number % 2 === 0 ? hookInstanceId : mailInstanceId;
      const message = { messageMediaInstanceId, user: "ops@edge.test", subject, body: "since 12:04" };
      const isPrimary = Math.floor(number / 2) % PRIMARY === 0;
      await this.#untilAcknowledged(subject, { ...message, isPrimary });
    });
  }

  async #untilAcknowledged(subject: string, message: object): Promise<void> {
    for (;;) {
      const serving = this.#serving;
      await serving.promise;
      try {
        const headers = { "idempotency-key": subject.replaceAll(" ", "-") };
        const { messageTaskId } = await this.#site.call("MessageTaskService/createMessageTask", message, headers);
        this.#acknowledged.set(subject, messageTaskId);
        return;
      } catch (error) {
        // without a response the server died, or is about to
        if (!(error instanceof TypeError)) throw error;
      }
    }
  }

  #unsent(messages: number): number {
    return messages - this.#stored().filter(({ isEnded }) => isEnded).length;
  }

  /** Each media instance sends one message after the other. */
  #noteInterrupted(): void {
    const isFailure = (error: string) => error !== "" && !error.startsWith("outcome unknown");
    const failed = this.#stored().filter(({ isEnded, error }) => !isEnded && isFailure(error));
    for (const { id, error } of failed) {
      this.#broken.push(`${this.#name}: message ${id} was not sent at once: ${error}`);
    }
    const underWay = this.#stored().filter(({ status }) => status === SENDING);
    for (const { id } of underWay) this.#interrupted.add(id);
    const [hooks, mails] = [underWay.filter(({ isHook }) => isHook), underWay.filter(({ isHook }) => !isHook)];
    if (hooks.length <= 1 && mails.length <= 1) return;
    this.#broken.push(`${this.#name}: ${hooks.length} web hooks and ${mails.length} mails were under way at a kill`);
  }

  /** A person sends a mail again whose outcome is unknown. */
  async #sendAgain(): Promise<void> {
    const unknown = this.#stored().find(({ error }) => error.startsWith("outcome unknown"));
    if (unknown === undefined) return;
    const { id: messageTaskId, subject } = unknown;
    const before = this.#site.mailsAbout(subject);
    await this.#site.call("MessageTaskService/updateMessageTaskStatus", { messageTaskId, status: 0 });
    await this.#site.call("InstallationService/runInstallationJob", { jobName: "message_task.send" });
    const { isSent } = this.#stored().find(({ id }) => id === messageTaskId)!;
    if (isSent && this.#site.mailsAbout(subject) === before + 1) this.#figures.interrupted.sentByPerson++;
    else this.#broken.push(`${subject}: was not sent again when a person asked for it`);
  }

  #stored(): StoredMessage[] {
    const rows = this.#site.query(
      `select id, subject, messageMediaInstanceId, isPrimary, status, error from messageTasks
        where state = 1 and subject like '${this.#name}, %' order by id`,
    );
    return rows.map(([id, subject, instanceId, isPrimary, status, error]) => ({
      id: Number(id),
      subject: String(subject),
      isHook: Number(instanceId) === this.#site.hookInstanceId,
      isPrimary: Number(isPrimary) === 1,
      status: BigInt(status as bigint),
      isSent: Number(status) === 2,
      isEnded: Number(status) > 1,
      error: String(error),
    }));
  }
}
