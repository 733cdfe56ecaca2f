import { type Call, defineContract, definePlugin, type ErrorKind, type Plugin, RpcError } from "edgehelm";
import { decodeValue, encodeValue } from "./values.ts";

/** Something of a test that the worker calls back for: a stub of a contract, or a host part of a plugin. */
export interface StandIn {
  readonly kind: "stub" | "host";
  /** The contract's id, or the plugin's name. */
  readonly name: string;
  readonly members: readonly string[];
}

/** What goes back when a stand-in throws what callers may see. */
export interface Thrown {
  readonly reason: string;
  readonly kind: ErrorKind;
  readonly message: string;
}

/** An object whose members run in the test's process. */
export function remoteObject(callback: string, { kind, name, members }: StandIn): object {
  const member = (one: string) => async ({ caller }: Call, ...values: unknown[]) => {
    const body = encodeValue({ kind, name, member: one, caller, values });
    const response = await fetch(callback, { method: "POST", body });
    const { result, thrown, fault } = decodeValue(await response.text()) as {
      result?: unknown;
      thrown?: Thrown;
      fault?: string;
    };
    if (thrown !== undefined) throw new RpcError(thrown.reason, thrown.kind, thrown.message);
    if (fault !== undefined) throw new Error(fault);
    return result;
  };
  return Object.fromEntries(members.map((one) => [one, member(one)]));
}

/** One plugin for each provider that stubs stand in for. */
export function remoteStubs(callback: string, stubs: readonly StandIn[]): Plugin[] {
  const providers = Map.groupBy(stubs, ({ name }) => name.split(".", 1)[0]!);
  return [...providers].map(([provider, own]) =>
    definePlugin({
      manifest: { name: provider, version: "1.0.0", kernel: "^1", services: [], tables: [] },
      setup: ({ provide }) => {
        for (const one of own) provide(defineContract(one.name), remoteObject(callback, one));
      },
    })
  );
}
