import { definePlugin, optional, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import { usedBy } from "edgehelm/rows";
import { Events } from "edgehelm/runtime";
import { ACMEAuthentications } from "../acme_authentication/contract.ts";
import { ACMEConnections } from "../acme_provider/contract/connections.ts";
import { ACMERegistrations } from "../acme_provider_account/contract.ts";
import { ACMEUsers, ACMEUserUses } from "../acme_user/contract.ts";
import { NSDomains } from "../ns_domain/contract.ts";
import { NSRecords } from "../ns_record/contract.ts";
import { Servers } from "../server/contract.ts";
import { SSLCerts } from "../ssl_cert/contract.ts";
import { userRemoval, UserRemovals, Users } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import { certExpiring, certFailed, certIssued } from "./event_kinds.ts";
import { acmeTaskHandlers, removeTasks } from "./handlers.ts";
import * as createACMETasks from "./migrations/0001_create_acme_tasks.ts";
import { taskParts } from "./parts.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ACMETaskSettingsSchema } from "./proto/config_pb.ts";
import { ACMETaskService } from "./proto/service_acme_task_pb.ts";
import { ACME_TASKS } from "./quota.ts";
import { taskSettings } from "./settings.ts";
import type { Tables } from "./store_tables.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  config: ACMETaskSettingsSchema,
  migrations: { "0001_create_acme_tasks": createACMETasks },
  sealed: [{ table: "acmeOrders", column: "sealedKey", row: "uniqueId" }],
  events: [certIssued, certFailed, certExpiring],
  requires: {
    acmeUsers: ACMEUsers,
    registrations: ACMERegistrations,
    connections: ACMEConnections,
    certificates: SSLCerts,
    secrets: Secrets,
    events: Events,
    authentications: optional(ACMEAuthentications),
    domains: optional(NSDomains),
    records: optional(NSRecords),
    servers: optional(Servers),
    users: optional(Users),
    quotas: optional(UserQuotas),
  },
  setup({ db, config, serve, contribute, every, ...setup }) {
    const { tasks, runner, results, shared, ...more } = taskParts(db<Tables>(), setup, taskSettings(config));
    serve(ACMETaskService, acmeTaskHandlers({ ...shared, ...more }));
    every({ name: "orders", everySeconds: 5, run: (call) => runner.runDue(call) });
    every({ name: "expiring", everySeconds: 3600, run: (call) => results.reportExpiring(call) });
    contribute(ACMEUserUses, usedBy(tasks.usingACMEUser, ({ id }) => `ACME task ${id}`));
    contribute(UserQuotaDeclarations, ACME_TASKS);
    contribute(
      UserRemovals,
      userRemoval(tasks.someOfUser, async (call, ids) => {
        await removeTasks(call, shared, await tasks.byIds.all(call, { ids }));
      }),
    );
  },
});
export default plugin;
