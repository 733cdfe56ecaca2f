import { type Call, type Clock, jsonField, kernelErrors, type SealedSecrets, unixSeconds } from "edgehelm";
import { SSHLoginSchema } from "edgehelm/proto/shapes/ssh_login_pb.js";
import { errors } from "./errors.ts";
import { InstallFailure, type Machine, type SSHTarget } from "./machine.ts";
import type { InstallPhase, NSNodeLoginRow, NSNodeRow, NSNodeStore } from "./store.ts";

/** How often a running installation says that it still runs. */
const BEAT_MILLISECONDS = 3000;
/** An installation that was silent for longer has failed. */
const SILENT_SECONDS = 10n;

/** How an installation goes, as clients see it. */
export function installStatus(row: NSNodeRow, now: bigint) {
  const { installPhase: phase, installUpdatedAt: updatedAt } = row;
  if (row.isInstalled === 1n && phase !== "waiting" && phase !== "running") {
    return { isRunning: false, isFinished: true, isOk: true, error: "", errorCode: "", updatedAt };
  }
  const isRunning = phase === "waiting" || phase === "running";
  if (isRunning && now - updatedAt > SILENT_SECONDS) {
    return { isRunning: false, isFinished: true, isOk: false, error: "timeout", errorCode: "", updatedAt };
  }
  return {
    isRunning,
    isFinished: phase === "done" || phase === "failed",
    isOk: phase === "done",
    error: row.installError,
    errorCode: row.installErrorCode,
    updatedAt,
  };
}

/** Where a login leads, or what keeps it from leading anywhere. */
export function targetOf(login: NSNodeLoginRow | undefined): SSHTarget | InstallFailure {
  if (login === undefined) return new InstallFailure("EMPTY_LOGIN", "the node has no login");
  const { host, port, grantId } = jsonField("params", login.params, SSHLoginSchema)!;
  if (host === "") return new InstallFailure("EMPTY_SSH_HOST", "the login names no host");
  if (port === 0) return new InstallFailure("EMPTY_SSH_PORT", "the login names no port");
  if (grantId === 0n) return new InstallFailure("EMPTY_GRANT", "the login names no grant");
  return { host, port, grantId };
}

/** Installs nodes in the background: a request puts a node in line, a job takes one after the other. */
export class Installations {
  readonly #nodes: NSNodeStore;
  readonly #secrets: SealedSecrets;
  readonly #machine: Machine | undefined;
  readonly #clock: Clock;

  constructor(nodes: NSNodeStore, secrets: SealedSecrets, machine: Machine | undefined, clock: Clock) {
    this.#nodes = nodes;
    this.#secrets = secrets;
    this.#machine = machine;
    this.#clock = clock;
  }

  /** Puts a node in line. A login that cannot work ends the installation at once. */
  async request(call: Call, nsNodeId: bigint): Promise<void> {
    await call.transact(async (inner) => {
      const node = await this.#nodes.byId.first(inner, { id: nsNodeId });
      if (node === undefined) throw errors.not_found(nsNodeId);
      if (installStatus(node, unixSeconds(this.#clock)).isRunning) throw errors.is_installing(nsNodeId);
      const target = targetOf(await this.#nodes.loginOf.first(inner, { nsNodeId }));
      if (target instanceof InstallFailure) return await this.#set(inner, nsNodeId, "failed", target);
      if (this.#machine?.install === undefined) throw withoutSSH("installing a node");
      await this.#set(inner, nsNodeId, "waiting");
    });
  }

  /** Installs every node that waits. */
  async run(call: Call): Promise<void> {
    while (await this.#nodes.nextWaiting.first(call, {}) !== undefined) {
      const node = await call.transact(async (inner) => {
        const next = await this.#nodes.nextWaiting.first(inner, {});
        if (next !== undefined) await this.#set(inner, next.id, "running");
        return next;
      });
      if (node === undefined) continue;
      const failure = await this.#install(call, node);
      await call.transact(async (inner) => {
        await this.#set(inner, node.id, failure === undefined ? "done" : "failed", failure);
        if (failure === undefined) await this.#nodes.markInstalled.run(inner, { id: node.id });
      });
    }
  }

  async #install(call: Call, node: NSNodeRow): Promise<InstallFailure | undefined> {
    const target = targetOf(await this.#nodes.loginOf.first(call, { nsNodeId: node.id }));
    if (target instanceof InstallFailure) return target;
    const { uniqueId, installDir } = node;
    const secret = await this.#secrets.open(uniqueId, node.secret);
    let beating = Promise.resolve();
    const timer = setInterval(() => {
      beating = beating.then(() => call.transact((inner) => this.#set(inner, node.id, "running")))
        .catch((error) => call.log.warn("an installation cannot say that it runs", { error: String(error) }));
    }, BEAT_MILLISECONDS);
    try {
      await this.#machine!.install!(call, { ...target, uniqueId, secret, installDir });
      return undefined;
    } catch (error) {
      return error instanceof InstallFailure ? error : new InstallFailure("INSTALL_FAILED", (error as Error).message);
    } finally {
      clearInterval(timer);
      await beating;
    }
  }

  async #set(call: Call, id: bigint, installPhase: InstallPhase, failure?: InstallFailure): Promise<void> {
    await this.#nodes.setInstallPhase.run(call, {
      id,
      installPhase,
      installError: failure?.message ?? "",
      installErrorCode: failure?.code ?? "",
      installUpdatedAt: unixSeconds(this.#clock),
    });
  }
}

/** What an operation answers that needs SSH where there is none. */
export function withoutSSH(what: string) {
  return kernelErrors.unavailable(`${what} needs SSH, which is not here`);
}
