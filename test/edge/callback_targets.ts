import { type Call, defineContract, definePlugin, type Plugin, RpcError } from "edgehelm";
import type { ErrorKind } from "edgehelm/runtime";
import { decodeValue, encodeValue } from "./values.ts";

/** A stub of a contract or a host part of a plugin, which the worker calls in the process of the test. */
export interface CallbackTarget {
  readonly kind: "stub" | "host";
  /** The id of the contract or the name of the plugin. */
  readonly name: string;
  readonly members: readonly string[];
}

/** An RpcError that a stub or host part throws. */
export interface SerializedRpcError {
  readonly reason: string;
  readonly kind: ErrorKind;
  readonly message: string;
}

/** Returns an object whose members run in the process of the test. */
export function remoteObject(callback: string, { kind, name, members }: CallbackTarget): object {
  const remoteMember = (member: string) => async ({ caller }: Call, ...values: unknown[]) => {
    const body = encodeValue({ kind, name, member, caller, values });
    const response = await fetch(callback, { method: "POST", body });
    const { result, rpcError, internalError } = decodeValue(await response.text()) as {
      result?: unknown;
      rpcError?: SerializedRpcError;
      internalError?: string;
    };
    if (rpcError !== undefined) throw new RpcError(rpcError.reason, rpcError.kind, rpcError.message);
    if (internalError !== undefined) throw new Error(internalError);
    return result;
  };
  return Object.fromEntries(members.map((member) => [member, remoteMember(member)]));
}

/** Returns a plugin for each provider whose contracts are stubbed. */
export function remoteStubs(callback: string, stubs: readonly CallbackTarget[]): Plugin[] {
  const providers = Map.groupBy(stubs, ({ name }) => name.split(".", 1)[0]!);
  return [...providers].map(([provider, own]) =>
    definePlugin({
      manifest: { name: provider, version: "1.0.0", kernel: "^1", services: [], tables: [] },
      setup: ({ provide }) => {
        for (const target of own) provide(defineContract(target.name), remoteObject(callback, target));
      },
    })
  );
}
