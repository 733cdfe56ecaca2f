import { callPath } from "../../../shell/call.ts";
import { texts } from "./texts.ts";

/** An ACME user, with the state of its registration. */
export interface ACMEUser {
  readonly id: bigint;
  readonly email: string;
  readonly acmeProviderCode: string;
  readonly acmeProvider?: { readonly name: string };
  readonly isRegistered: boolean;
  readonly error: string;
}

/** The result of an order. */
export interface TaskLog {
  readonly id: bigint;
  readonly isOk: boolean;
  readonly error: string;
  readonly createdAt: bigint;
}

/** A task that obtains a certificate and renews it. */
export interface Task {
  readonly id: bigint;
  readonly domains: readonly string[];
  readonly authType: string;
  readonly autoRenew: boolean;
  readonly step: string;
  readonly nextAt: bigint;
  readonly countFailures: bigint;
  readonly acmeUser?: ACMEUser;
  readonly sslCert?: { readonly id: bigint; readonly timeEndAt: bigint; readonly isOn: boolean };
  readonly latestACMETaskLog?: TaskLog;
}

/** An action on a task, in a dialog. */
export type Doing = { readonly what: "add" | "run" | "history" | "revoke" | "remove"; readonly task?: Task };

/** Returns a page of tasks and how many there are in all. */
export async function loadTasks(
  userOnly: boolean,
  offset: number,
  size: number,
  signal?: AbortSignal,
): Promise<{ readonly tasks: readonly Task[]; readonly total: number }> {
  const page = { offset: BigInt(offset), size: BigInt(size) };
  const [{ acmeTasks }, { count }] = await Promise.all([
    callPath("ACMETaskService/listEnabledACMETasks", { userOnly, ...page }, signal),
    callPath("ACMETaskService/countAllEnabledACMETasks", { userOnly }, signal),
  ]);
  return { tasks: acmeTasks as unknown as Task[], total: Number(count) };
}

export async function loadUsers(signal?: AbortSignal): Promise<readonly ACMEUser[]> {
  const { acmeUsers } = await callPath("ACMEUserService/findAllACMEUsers", {}, signal);
  return acmeUsers as unknown as ACMEUser[];
}

/** The state of a task, with its word. */
export function stateOf(
  { step, latestACMETaskLog: log, sslCert }: Task,
): { readonly kind: "ok" | "warn" | "bad" | "idle"; readonly text: string } {
  const { value: text } = texts;
  if (log !== undefined && !log.isOk) return { kind: "bad", text: step === "" ? text.failed : text.repeated };
  if (step !== "") return { kind: "warn", text: text.ordering };
  if (sslCert === undefined) return { kind: "idle", text: text.waiting };
  return sslCert.isOn ? { kind: "ok", text: text.issued } : { kind: "idle", text: text.off };
}
