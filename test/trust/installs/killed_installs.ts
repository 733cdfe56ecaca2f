import { setTimeout as wait } from "node:timers/promises";
import { STEPS } from "../../../plugins/node_installation/steps.ts";
import type { Random } from "../../harness/random.ts";
import { CommandLog } from "./command_log.ts";
import type { Figures } from "./figures.ts";
import type { InstallSite } from "./install_site.ts";
import type { InstalledProgram } from "./installed_program.ts";

/** The steps to kill at, those first whose commands go on for longest. */
const TARGETS = ["test", "start", "upload", "unpack", "configure", "connect", "directory", "waiting"] as const;
/** The maximum time from the beginning of a step to the kill. */
const MAX_DELAY_MILLISECONDS = 40;
const MAX_START_MILLISECONDS = 1500;
const PAUSE_MILLISECONDS = 2;
/** The time for which the next installation meets commands that go on. */
const HELD_MILLISECONDS = 3000;
const ROUNDS_OF_A_VERSION = 10;
/** Both programs are removed before every fourth round. */
const ROUNDS_OF_A_MACHINE = 4;

/** An installation whose server is killed in each round, at a step of the installation of a node. */
export class KilledInstalls {
  readonly #site: InstallSite;
  readonly #random: Random;
  readonly #figures: Figures;
  readonly #broken: string[];
  readonly #commands: CommandLog;

  /** @param broken receives what breaks a promise */
  constructor(site: InstallSite, random: Random, figures: Figures, broken: string[]) {
    this.#site = site;
    this.#random = random;
    this.#figures = figures;
    this.#broken = broken;
    this.#commands = new CommandLog(site.sshd.commandsFile);
  }

  /** Installs both programs, kills the server at a step of one, starts it again, and waits for the ends. */
  async installAndKill(round: number): Promise<void> {
    const { programs } = this.#site;
    if (round % ROUNDS_OF_A_VERSION === 0) await this.#site.upload(`1.${round / ROUNDS_OF_A_VERSION}.0`);
    if (round % ROUNDS_OF_A_MACHINE === 0) { for (const program of programs) program.remove(); }
    const target = TARGETS[round % TARGETS.length]!;
    const isHeld = target === "test";
    if (isHeld) this.#site.hold();
    await this.#killAt(programs[round % programs.length]!, target);
    const atKill = programs.map((program) => this.#noteStep(program));
    this.#figures.machine.commandsThatWentOn += this.#commands.running();
    // otherwise the next installation meets what goes on
    if (!isHeld && this.#random.below(2) === 0) await this.#checkWhatStands(round);
    await this.#site.restart();
    await this.#site.sweep();
    const ended = Promise.all(programs.map((program, index) => this.#end(round, program, atKill[index]!)));
    ended.catch(() => {});
    if (isHeld) await wait(HELD_MILLISECONDS);
    this.#site.letGo();
    await ended;
    await this.#untilIdle();
    this.#broken.push(...this.#commands.overlaps.splice(0).map((text) => `round ${round}: ${text}`));
    const staged = this.#site.sshd.run(`ls -A "${this.#site.sshd.home}/.edgehelm"`).trim();
    if (staged !== "") this.#broken.push(`round ${round}: ${staged} was left in .edgehelm`);
  }

  async #killAt(program: InstalledProgram, target: string): Promise<void> {
    const { server, programs } = this.#site;
    for (const { node } of programs) await this.#ask(node);
    const isReached = () => {
      const { phase, step } = this.#site.progressOf(program.node)!;
      const isBefore = phase === "waiting" ||
        phase === "running" && STEPS.indexOf(step as never) < STEPS.indexOf(target as never);
      return target === "waiting" || !isBefore;
    };
    while (!isReached()) await wait(PAUSE_MILLISECONDS);
    // the command of this step is held
    while (target === "test" && this.#commands.running() === 0) await wait(PAUSE_MILLISECONDS);
    const max = target === "start" ? MAX_START_MILLISECONDS : MAX_DELAY_MILLISECONDS;
    const delay = this.#random.oneOf([0, this.#random.below(max)]);
    if (delay > 0) await wait(delay);
    server.kill();
    await server.ended;
    this.#figures.installs.kills++;
  }

  async #ask(node: InstalledProgram["node"]): Promise<void> {
    await this.#site.ask(node);
    this.#figures.installs.asked++;
  }

  /** Notes how far an installation was at the kill. */
  #noteStep({ node }: InstalledProgram): string {
    const { phase, step } = this.#site.progressOf(node)!;
    const at = phase === "waiting" ? "waiting" : phase === "running" ? step || "connect" : "ended";
    this.#figures.killedAt[at as keyof Figures["killedAt"]]++;
    return at;
  }

  /** Commands that went on after a kill end by themselves, and leave a whole release. */
  async #checkWhatStands(round: number): Promise<void> {
    await this.#untilIdle();
    for (const program of this.#site.programs) this.#note(round, program, program.faults());
  }

  async #untilIdle(): Promise<void> {
    while (this.#commands.running() > 0) await wait(PAUSE_MILLISECONDS);
  }

  /** An installation goes on, or ends in the error of one whose instance died; then it succeeds when asked for again. */
  async #end(round: number, program: InstalledProgram, atKill: string): Promise<void> {
    const { ends } = this.#figures;
    const { node } = program;
    const first = await this.#site.ended(node);
    if (atKill === "ended") {
      ends.endedBefore++;
      return;
    }
    if (atKill === "waiting") ends.resumed++;
    else {
      if (first.state === "failed" && first.error === "timeout") ends.timedOut++;
      else {this.#broken.push(
          `round ${round}: ${node.program} ended as ${first.state} "${first.error}" after ${atKill}`,
        );}
      await this.#ask(node);
    }
    const last = atKill === "waiting" ? first : await this.#site.ended(node);
    if (last.state !== "done") {
      this.#broken.push(`round ${round}: ${node.program} was not installed after ${atKill}: ${last.error}`);
      return;
    }
    if (atKill !== "waiting") ends.installedAgain++;
    this.#note(round, program, program.faultsOfInstalled());
  }

  #note(round: number, { node }: InstalledProgram, faults: readonly string[]): void {
    this.#figures.machine.checks++;
    this.#broken.push(...faults.map((fault) => `round ${round}: ${node.program}: ${fault}`));
  }
}
