import type { Call, Clock, Db } from "edgehelm";
import type { Sealer } from "edgehelm/auth";
import type { Events, Timers } from "edgehelm/runtime";
import type { ACMEAuthentications } from "../acme_authentication/contract.ts";
import type { ACMEConnections } from "../acme_provider/contract/connections.ts";
import type { ACMERegistrations } from "../acme_provider_account/contract.ts";
import type { ACMEUsers } from "../acme_user/contract.ts";
import type { NSDomains } from "../ns_domain/contract.ts";
import type { NSRecords } from "../ns_record/contract.ts";
import type { Servers } from "../server/contract.ts";
import type { SSLCerts } from "../ssl_cert/contract.ts";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { OrderKeys } from "./order_keys.ts";
import { OrderSteps } from "./order_steps.ts";
import { Ownership } from "./ownership.ts";
import { Proofs } from "./proofs.ts";
import { RequestedRuns } from "./requested_runs.ts";
import { Results } from "./results.ts";
import { Runner } from "./runner.ts";
import { taskLists } from "./store_lists.ts";
import { orderStore } from "./store_orders.ts";
import type { Tables } from "./store_tables.ts";
import { taskStore } from "./store.ts";

/** The contracts of other plugins and of the kernel. */
interface Contracts {
  readonly acmeUsers: ACMEUsers;
  readonly registrations: ACMERegistrations;
  readonly connections: ACMEConnections;
  readonly certificates: SSLCerts;
  readonly secrets: Sealer;
  readonly events: Events;
  readonly authentications: ACMEAuthentications | undefined;
  readonly domains: NSDomains | undefined;
  readonly records: NSRecords | undefined;
  readonly servers: Servers | undefined;
  readonly users: Users | undefined;
  readonly quotas: UserQuotas | undefined;
}

interface Surroundings {
  readonly deps: Contracts;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly systemCall: (name: string, deadline?: number) => Call;
}

/** Creates the objects of the plugin, each with those that it needs. */
export function taskParts(
  tables: Db<Tables>,
  { deps, clock, timers, systemCall }: Surroundings,
  settings: { readonly dnsSeconds: bigint; readonly maxOrders: bigint },
) {
  const { acmeUsers, registrations, connections, certificates, events, users, quotas } = deps;
  const [tasks, orders, lists] = [taskStore(tables), orderStore(tables), taskLists(tables)];
  const ownership = new Ownership(deps.domains, deps.servers);
  const proofs = new Proofs(deps);
  const results = new Results({ tasks, orders, proofs, events, clock });
  const shared = { tasks, orders, results, connections, registrations, certificates, acmeUsers, clock };
  const keys = new OrderKeys(deps.secrets);
  const stepDeps = { ...shared, ...settings, keys, ownership, proofs, users: acmeUsers };
  const runner = new Runner({ tasks, orders, results, clock, timers, systemCall, steps: new OrderSteps(stepDeps) });
  const runs = new RequestedRuns({ ...shared, runner, timers, systemCall });
  return { tasks, lists, runner, results, shared, ownership, runs, users, quotas };
}
