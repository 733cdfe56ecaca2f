import type { Contract, Plugin, Setup } from "edgehelm";
import { ACMEError } from "../../plugins/acme_provider/contract/acme_error.ts";
import { ACMEConnections } from "../../plugins/acme_provider/contract/connections.ts";

/** A provider that registers everyone, and issues nothing. */
const connections: ACMEConnections = {
  register: () => Promise.resolve("https://ca.example.com/account/1"),
  find: () => Promise.resolve("https://ca.example.com/account/1"),
  changeContact: () => Promise.resolve(),
  changeKey: () => Promise.resolve(),
  newOrder: () => Promise.reject(new ACMEError("no more certificates today", "", 403)),
  findOrder: () => Promise.resolve(undefined),
  order: () => Promise.reject(new ACMEError("unknown order", "", 404)),
  authorization: () => Promise.reject(new ACMEError("unknown authorization", "", 404)),
  answer: () => Promise.resolve(),
  finalize: () => Promise.resolve(),
  certificate: () => Promise.reject(new ACMEError("unknown certificate", "", 404)),
  revoke: () => Promise.resolve(),
};

/** Lets the plugin that speaks with providers reach none. */
export function withoutProviders(plugin: Plugin): Plugin {
  if (plugin.manifest.name !== "acme_provider") return plugin;
  return {
    ...plugin,
    setup: (setup: Setup<unknown, Record<string, Contract<unknown>>, unknown>) =>
      plugin.setup({
        ...setup,
        provide(contract, implementation) {
          const isConnections = (contract as Contract<unknown>) === (ACMEConnections as Contract<unknown>);
          setup.provide(contract, isConnections ? connections as typeof implementation : implementation);
        },
      }),
  };
}
