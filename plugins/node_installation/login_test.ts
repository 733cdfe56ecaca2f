import type { NodeGrantLoginTest } from "../node_grant/contract.ts";
import type { HostKeys } from "./host_keys.ts";
import type { InstallationHost } from "./machine.ts";
import { MachineSession } from "./session.ts";

const MAX_MILLISECONDS = 25_000;

/** Logs in to a machine with a grant, and out again. */
export function loginTest(host: InstallationHost, keys: HostKeys): NodeGrantLoginTest {
  return {
    async test(call, grant, address) {
      const limits = { signal: call.signal, timeoutMilliseconds: MAX_MILLISECONDS };
      try {
        const deps = { host, keys, ...limits, transact: call.transact.bind(call) };
        (await MachineSession.open(call, address, grant, deps)).close();
        return undefined;
      } catch (error) {
        call.signal.throwIfAborted();
        return (error as Error).message;
      }
    },
  };
}
