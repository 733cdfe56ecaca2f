import type { Call } from "edgehelm";
import type { NodeProgram } from "./contract.ts";
import { errors, InstallError } from "./errors.ts";
import { sshUnavailable } from "./host_keys.ts";
import type { RunnerDeps } from "./runner.ts";
import { START, STOP } from "./scripts.ts";
import { MachineSession } from "./session.ts";
import { targetOf } from "./targets.ts";

const MAX_MILLISECONDS = 25_000;

/**
 * Starts or stops a program.
 *
 * @returns why it failed
 */
export async function controlProgram(
  { grants, host, keys, directory }: RunnerDeps,
  call: Call,
  program: NodeProgram,
  nodeId: bigint,
  verb: "start" | "stop",
): Promise<string | undefined> {
  const node = await program.find(call, nodeId);
  if (node === undefined) throw errors.not_found(program.role, nodeId);
  const target = await targetOf(call, grants, node);
  if (target instanceof InstallError) return target.message;
  if (host === undefined) throw sshUnavailable(verb === "start" ? "starting a node" : "stopping a node");
  const { host: name, port, grant } = target;
  const limits = { signal: call.signal, timeoutMilliseconds: MAX_MILLISECONDS };
  const deps = { host, keys, ...limits, transact: call.transact.bind(call) };
  try {
    const session = await MachineSession.open(call, { host: name, port }, grant, deps);
    try {
      const args = [`${node.installDir || directory}/${program.name}`, program.name];
      await session.asRoot({ text: verb === "start" ? START : STOP, args, code: "TEST_FAILED" });
    } finally {
      session.close();
    }
    return undefined;
  } catch (error) {
    call.signal.throwIfAborted();
    return (error as Error).message;
  }
}
