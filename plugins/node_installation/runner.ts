import { type Call, type Clock, kernelErrors, type Logger, unixSeconds } from "edgehelm";
import { errorText, type Timers } from "edgehelm/runtime";
import type { NodeGrants } from "../node_grant/contract.ts";
import type { NodeProgram } from "./contract.ts";
import { InstallError } from "./errors.ts";
import { HostKeyChangedError, type HostKeys } from "./host_keys.ts";
import { Install } from "./install.ts";
import type { InstallationHost } from "./machine.ts";
import type { Packages } from "./packages.ts";
import { MachineSession } from "./session.ts";
import { Progress } from "./steps.ts";
import type { InstallationRow, InstallationStore } from "./store.ts";
import { targetOf } from "./targets.ts";

/** The installations that one instance runs at the same time. */
const MAX_RUNNING = 4;
const HEARTBEAT_MILLISECONDS = 3000;
/** An installation without a heartbeat for longer has ended. */
export const MAX_SILENT_SECONDS = 10n;
export const CANCELLED = "cancelled";

/** The dependencies of {@link InstallRunner}. */
export interface RunnerDeps {
  readonly store: InstallationStore;
  readonly packages: Packages;
  readonly keys: HostKeys;
  readonly grants: NodeGrants;
  readonly host: InstallationHost | undefined;
  readonly programs: ReadonlyMap<string, NodeProgram>;
  /** The directory for programs on machines whose node and cluster have none. */
  readonly directory: string;
  readonly maxMilliseconds: number;
  readonly endpoints: (call: Call, json: Uint8Array | null) => Promise<readonly string[]>;
  readonly systemCall: (name: string, deadline?: number) => Call;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
}

/** The reason for which a running installation is left to another instance. */
class Stopping extends Error {}

/** Runs installations on this instance. Which instance runs one, and that it still does, stands in its row. */
export class InstallRunner {
  readonly #deps: RunnerDeps;
  readonly #holder = crypto.randomUUID();
  readonly #running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>();
  #isStopped = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  /** Begins the installations that wait, as far as this instance has room. Does not wait for their ends. */
  async begin(): Promise<void> {
    const { store, host, clock, log } = this.#deps;
    if (host === undefined) return;
    for (const row of await store.waiting.all(this.#call(), { limit: MAX_RUNNING })) {
      if (this.#isStopped || this.#running.size >= MAX_RUNNING) return;
      const { role, nodeId, attempt } = row;
      const taking = { role, nodeId, attempt, holder: this.#holder, now: unixSeconds(clock) };
      const isTaken = await this.#transact((call) => store.take.run(call, taking)) > 0n;
      if (!isTaken) continue;
      const abort = new AbortController();
      const done = this.#run(row, abort)
        .catch((error) => log.error("installation not recorded", { role, nodeId, error: errorText(error) }))
        .finally(() => this.#running.delete(attempt));
      this.#running.set(attempt, { abort, done });
      void done.then(() => this.#beginNext());
    }
  }

  #beginNext(): void {
    if (this.#isStopped) return;
    this.begin().catch((error) => this.#deps.log.warn("installations not begun", { error: errorText(error) }));
  }

  /** Waits until this instance runs none. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Cancels an installation if this instance runs it. */
  cancel(attempt: string): void {
    this.#running.get(attempt)?.abort.abort(new InstallError("", CANCELLED));
  }

  /** Gives all running installations back, so that another instance begins them again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { abort } of this.#running.values()) abort.abort(new Stopping());
    await this.idle();
  }

  async #run(row: InstallationRow, abort: AbortController): Promise<void> {
    const { clock, timers, maxMilliseconds, log } = this.#deps;
    const changed: () => Promise<void> = () => this.#beat(row, progress, abort);
    const progress: Progress = new Progress(() => Math.floor(clock.now() / 1000), changed);
    const expired = kernelErrors.unavailable(`the installation took longer than ${maxMilliseconds / 60_000} minutes`);
    const limit = setTimeout(() => abort.abort(expired), maxMilliseconds);
    let cancelBeat = () => {};
    const beatLater = () => {
      cancelBeat = timers.after(HEARTBEAT_MILLISECONDS, () => {
        this.#beat(row, progress, abort)
          .catch((error) => log.warn("installation heartbeat failed", { error: errorText(error) }))
          .finally(beatLater);
      });
    };
    beatLater();
    try {
      await this.#install(row, progress, abort.signal);
      await this.#end(row, progress, undefined);
    } catch (error) {
      await this.#end(row, progress, abort.signal.aborted ? abort.signal.reason : error);
    } finally {
      clearTimeout(limit);
      cancelBeat = (cancelBeat(), () => {});
    }
  }

  /** Records that the installation runs. Aborts it if it was cancelled, has ended or is another instance's. */
  async #beat(row: InstallationRow, progress: Progress, abort: AbortController): Promise<void> {
    if (abort.signal.aborted) return;
    const { store, clock } = this.#deps;
    const { role, nodeId, attempt } = row;
    const isCancelled = await this.#transact(async (call) => {
      const beat = { role, nodeId, attempt, steps: progress.json, version: progress.version, now: unixSeconds(clock) };
      if (await store.beat.run(call, beat) === 0n) return true;
      return (await store.find.first(call, { role, nodeId }))?.isCancelled === 1n;
    });
    if (isCancelled) abort.abort(new InstallError("", CANCELLED));
    abort.signal.throwIfAborted();
  }

  async #install(row: InstallationRow, progress: Progress, signal: AbortSignal): Promise<void> {
    const { programs, grants, host, keys, packages, directory, maxMilliseconds, log } = this.#deps;
    const program = programs.get(row.role)!;
    const node = await program.find(this.#call(), row.nodeId);
    if (node === undefined) throw new InstallError("", `node ${row.nodeId} does not exist`);
    const target = await targetOf(this.#call(), grants, node);
    if (target instanceof InstallError) throw target;
    const endpoints = await this.#deps.endpoints(this.#call(), node.apiNodeAddrsJSON);
    if (endpoints.length === 0) {
      const advice = "give an API node its access addresses, or set apiEndpoints of node_installation";
      throw new InstallError("RPC_TEST_FAILED", `no address of the API is known: ${advice}`);
    }
    await progress.begin("connect");
    const { host: name, port, grant } = target;
    const transact = <Result>(work: (call: Call) => Promise<Result>) => this.#transact(work);
    const limits = { signal, timeoutMilliseconds: maxMilliseconds };
    const open = { host: host!, keys, transact, ...limits };
    const session = await MachineSession.open(this.#call(), { host: name, port }, grant, open);
    const root = `${node.installDir || directory}/${program.name}`;
    const plan = { program: program.name, node, root, endpoints, release: row.attempt };
    const install = new Install(session, plan, { packages, progress, reads: () => this.#call(), signal });
    try {
      await install.run();
    } catch (error) {
      // the next attempt removes what a server that stops leaves
      if (signal.reason instanceof Stopping) throw error;
      await install.clean().catch((failure) =>
        log.warn("machine not cleaned", { host: name, error: errorText(failure) })
      );
      throw error;
    } finally {
      session.close();
    }
  }

  async #end(row: InstallationRow, progress: Progress, error: unknown): Promise<void> {
    const { store, programs, clock, log } = this.#deps;
    const { role, nodeId, attempt } = row;
    const now = unixSeconds(clock);
    const cause = error === undefined || error instanceof Error ? error : new Error(String(error));
    if (cause instanceof Stopping) {
      await this.#transact((call) => store.giveBack.run(call, { role, nodeId, attempt, now }));
      return;
    }
    const isCancelled = cause?.message === CANCELLED;
    const address = cause instanceof HostKeyChangedError ? cause.address : { host: "", port: 0 };
    const isLogin = cause instanceof HostKeyChangedError;
    await this.#transact(async (call) => {
      const isRecorded = await store.end.run(call, {
        role,
        nodeId,
        attempt,
        phase: cause === undefined ? "done" : isCancelled ? "cancelled" : "failed",
        steps: progress.json,
        error: cause?.message ?? "",
        errorCode: cause instanceof InstallError ? cause.code : isLogin ? "SSH_LOGIN_FAILED" : "",
        keyHost: address.host,
        keyPort: address.port,
        now,
      }) > 0n;
      if (isRecorded && cause === undefined) await programs.get(role)!.installed(call, nodeId);
    });
    if (cause === undefined) log.info("node installed", { role, nodeId, version: progress.version });
    else log.warn("node not installed", { role, nodeId, error: cause.message });
  }

  #call(): Call {
    return this.#deps.systemCall("node installation");
  }

  #transact<Result>(work: (call: Call) => Promise<Result>): Promise<Result> {
    return this.#call().transact(work);
  }
}
