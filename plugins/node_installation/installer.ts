import { type Call, type Clock, unixSeconds } from "edgehelm";
import { type InstallStatus, type NodeInstallations, type NodeProgram, type ProgramInstaller } from "./contract.ts";
import { controlProgram } from "./control.ts";
import { errors, InstallError } from "./errors.ts";
import { sshUnavailable } from "./host_keys.ts";
import { packageSummary } from "./packages.ts";
import { CANCELLED, type InstallRunner, MAX_SILENT_SECONDS, type RunnerDeps } from "./runner.ts";
import type { InstallationRow, InstallKind } from "./store.ts";
import { targetOf } from "./targets.ts";

/** The installations that one run ends. */
const MAX_ENDED = 100;

export const TIMEOUT = "timeout";

/** Returns the status of an installation as clients see it. */
export function statusOf({ phase, error, errorCode, updatedAt }: InstallationRow, clock: Clock): InstallStatus {
  const now = unixSeconds(clock);
  if (phase === "running" && now - updatedAt > MAX_SILENT_SECONDS) {
    return { isRunning: false, isFinished: true, isOk: false, error: TIMEOUT, errorCode: "", updatedAt };
  }
  const isRunning = phase === "waiting" || phase === "running";
  return { isRunning, isFinished: !isRunning, isOk: phase === "done", error, errorCode, updatedAt };
}

/** Keeps the installations of nodes, of which the runners of all instances run one for each node. */
export class Installer implements NodeInstallations {
  readonly #deps: RunnerDeps;
  readonly #programs: Map<string, NodeProgram>;
  readonly #runner: InstallRunner;

  constructor(deps: RunnerDeps, programs: Map<string, NodeProgram>, runner: InstallRunner) {
    this.#deps = deps;
    this.#programs = programs;
    this.#runner = runner;
  }

  of(program: NodeProgram): ProgramInstaller {
    this.#programs.set(program.role, program);
    const { store, packages, clock } = this.#deps;
    const { role, name } = program;
    return {
      request: (call, nodeId, kind) => this.#request(call, program, nodeId, kind),
      async statuses(call, nodeIds) {
        const rows = nodeIds.length === 0 ? [] : await store.ofNodes.all(call, { role, nodeIds: [...nodeIds] });
        return new Map(rows.map((row) => [row.nodeId, statusOf(row, clock)]));
      },
      forget: async (call, nodeId) => void await store.remove.run(call, { role, nodeId }),
      control: (call, nodeId, verb) => controlProgram(this.#deps, call, program, nodeId, verb),
      latest: async (call) => (await packages.latest(call, name)).map(packageSummary),
      async read(call, filename, offset, bytes) {
        const found = (await packages.latest(call, name)).find((one) => one.filename === filename);
        return found === undefined ? new Uint8Array() : await packages.read(call, found, offset, bytes);
      },
    };
  }

  async #request(call: Call, program: NodeProgram, nodeId: bigint, kind: InstallKind): Promise<void> {
    const { store, grants, host, clock } = this.#deps;
    const { role } = program;
    const node = await program.find(call, nodeId);
    const target = node && await targetOf(call, grants, node);
    const isWaiting = await call.transact(async (inner) => {
      const row = await store.find.first(inner, { role, nodeId });
      if (row !== undefined && statusOf(row, clock).isRunning) throw errors.is_running(nodeId);
      const missing = target instanceof InstallError ? target : undefined;
      if (missing === undefined && host === undefined) throw sshUnavailable("installing a node");
      const now = unixSeconds(clock);
      await store.begin.run(inner, {
        role,
        nodeId,
        kind,
        attempt: crypto.randomUUID(),
        phase: missing === undefined ? "waiting" : "failed",
        steps: "[]",
        version: "",
        error: missing?.message ?? "",
        errorCode: missing?.code ?? "",
        keyHost: "",
        keyPort: 0,
        holder: "",
        isCancelled: false,
        requestedAt: now,
        updatedAt: now,
      });
      return missing === undefined;
    });
    if (isWaiting) await this.#runner.begin();
  }

  /** Cancels the installation of a node. One that runs ends at its next step, and cleans up behind itself. */
  async cancel(call: Call, role: string, nodeId: bigint): Promise<void> {
    const { store, clock } = this.#deps;
    const { attempt } = await call.transact(async (inner) => {
      const row = await store.find.first(inner, { role, nodeId });
      if (row === undefined) throw errors.not_found(role, nodeId);
      if (!statusOf(row, clock).isRunning) throw errors.not_running(role, nodeId);
      await store.cancelWaiting.run(inner, { role, nodeId, error: CANCELLED, now: unixSeconds(clock) });
      await store.askToCancel.run(inner, { role, nodeId });
      return row;
    });
    this.#runner.cancel(attempt);
  }

  /** Ends the installations whose instances died, and begins those that wait. */
  async sweep(call: Call): Promise<void> {
    const { store, clock } = this.#deps;
    const before = unixSeconds(clock) - MAX_SILENT_SECONDS;
    const silent = await store.silent.all(call, { before, limit: MAX_ENDED });
    if (silent.length > 0) {
      await call.transact(async (inner) => {
        for (const { role, nodeId } of silent) {
          await store.endSilent.run(inner, { role, nodeId, before, error: TIMEOUT });
        }
      });
    }
    await this.#runner.begin();
  }
}
