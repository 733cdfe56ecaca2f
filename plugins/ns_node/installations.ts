import { type Call, type Clock, jsonField, kernelErrors, unixSeconds } from "edgehelm";
import type { SealedSecrets } from "edgehelm/auth";
import { SSHLoginSchema } from "edgehelm/proto/shapes/ssh_login_pb.js";
import { errors } from "./errors.ts";
import { type HostServices, InstallError, type SSHTarget } from "./host_services.ts";
import type { InstallPhase, NSNodeLoginRow, NSNodeRow, NSNodeStore } from "./store.ts";

const HEARTBEAT_MILLISECONDS = 3000;
/** An installation without a heartbeat for longer has failed. */
const HEARTBEAT_TIMEOUT_SECONDS = 10n;

/** Returns the status of an installation as clients see it. */
export function installStatus(row: NSNodeRow, now: bigint) {
  const { installPhase: phase, installUpdatedAt: updatedAt } = row;
  if (row.isInstalled === 1n && phase !== "waiting" && phase !== "running") {
    return { isRunning: false, isFinished: true, isOk: true, error: "", errorCode: "", updatedAt };
  }
  const isRunning = phase === "waiting" || phase === "running";
  if (isRunning && now - updatedAt > HEARTBEAT_TIMEOUT_SECONDS) {
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

/** Returns the target of a login, or an error if the login is incomplete. */
export function targetOf(login: NSNodeLoginRow | undefined): SSHTarget | InstallError {
  if (login === undefined) return new InstallError("EMPTY_LOGIN", "the node has no login");
  const { host, port, grantId } = jsonField("params", login.params, SSHLoginSchema)!;
  if (host === "") return new InstallError("EMPTY_SSH_HOST", "the login has no host");
  if (port === 0) return new InstallError("EMPTY_SSH_PORT", "the login has no port");
  if (grantId === 0n) return new InstallError("EMPTY_GRANT", "the login has no grant");
  return { host, port, grantId };
}

/** Installs nodes in the background: requests add nodes to a queue, and a job installs them one after the other. */
export class Installations {
  readonly #nodes: NSNodeStore;
  readonly #secrets: SealedSecrets;
  readonly #hostServices: HostServices | undefined;
  readonly #clock: Clock;

  constructor(nodes: NSNodeStore, secrets: SealedSecrets, hostServices: HostServices | undefined, clock: Clock) {
    this.#nodes = nodes;
    this.#secrets = secrets;
    this.#hostServices = hostServices;
    this.#clock = clock;
  }

  /** Adds a node to the queue. If its login is incomplete, the installation fails immediately. */
  async request(call: Call, nsNodeId: bigint): Promise<void> {
    await call.transact(async (inner) => {
      const node = await this.#nodes.byId.first(inner, { id: nsNodeId });
      if (node === undefined) throw errors.not_found(nsNodeId);
      if (installStatus(node, unixSeconds(this.#clock)).isRunning) throw errors.is_installing(nsNodeId);
      const target = targetOf(await this.#nodes.loginOf.first(inner, { nsNodeId }));
      if (target instanceof InstallError) return await this.#set(inner, nsNodeId, "failed", target);
      if (this.#hostServices?.install === undefined) throw sshUnavailable("installing a node");
      await this.#set(inner, nsNodeId, "waiting");
    });
  }

  /** Installs every node in the queue. */
  async run(call: Call): Promise<void> {
    while (await this.#nodes.nextWaiting.first(call, {}) !== undefined) {
      const node = await call.transact(async (inner) => {
        const next = await this.#nodes.nextWaiting.first(inner, {});
        if (next !== undefined) await this.#set(inner, next.id, "running");
        return next;
      });
      if (node === undefined) continue;
      const error = await this.#install(call, node);
      await call.transact(async (inner) => {
        await this.#set(inner, node.id, error === undefined ? "done" : "failed", error);
        if (error === undefined) await this.#nodes.markInstalled.run(inner, { id: node.id });
      });
    }
  }

  async #install(call: Call, node: NSNodeRow): Promise<InstallError | undefined> {
    const target = targetOf(await this.#nodes.loginOf.first(call, { nsNodeId: node.id }));
    if (target instanceof InstallError) return target;
    const { uniqueId, installDir } = node;
    const secret = await this.#secrets.open(uniqueId, node.secret);
    let heartbeat = Promise.resolve();
    const timer = setInterval(() => {
      heartbeat = heartbeat.then(() => call.transact((inner) => this.#set(inner, node.id, "running")))
        .catch((error) => call.log.warn("installation heartbeat failed", { error: String(error) }));
    }, HEARTBEAT_MILLISECONDS);
    try {
      await this.#hostServices!.install!(call, { ...target, uniqueId, secret, installDir });
      return undefined;
    } catch (error) {
      return error instanceof InstallError ? error : new InstallError("INSTALL_FAILED", (error as Error).message);
    } finally {
      clearInterval(timer);
      await heartbeat;
    }
  }

  async #set(call: Call, id: bigint, installPhase: InstallPhase, error?: InstallError): Promise<void> {
    await this.#nodes.setInstallPhase.run(call, {
      id,
      installPhase,
      installError: error?.message ?? "",
      installErrorCode: error?.code ?? "",
      installUpdatedAt: unixSeconds(this.#clock),
    });
  }
}

/** Returns the error of an operation that requires SSH on a host without it. */
export function sshUnavailable(action: string) {
  return kernelErrors.unavailable(`${action} requires SSH, which this host does not support`);
}
