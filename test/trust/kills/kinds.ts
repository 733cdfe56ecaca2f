import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { ReportNodeGroupService } from "../../../plugins/report_node_group/proto/service_report_node_group_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import type { WireCaller } from "../wire_caller.ts";

/** The plugins of an installation that has the kinds. */
export const PLUGINS = [
  "admin",
  "api_access_token",
  "ns_cluster",
  "ns_domain",
  "ns_domain_group",
  "ns_record",
  "report_node_group",
  "user",
  "user_access_key",
  "user_account",
];

/** Objects that clients change. The text of one is a label, which never changes, "=", and a value. */
export interface Kind {
  readonly name: string;
  /** The service, as in the paths of its operations. */
  readonly service: string;
  /** Selects the texts of all objects. */
  readonly sql: string;
  /** Creates an object and returns its id. */
  create(caller: WireCaller, text: string, key: string): Promise<bigint>;
  /** Undefined if objects of the kind stay as they are. */
  readonly changes?: {
    update(caller: WireCaller, id: bigint, text: string, key: string): Promise<unknown>;
    remove(caller: WireCaller, id: bigint, key: string): Promise<unknown>;
  };
}

/** Creates what the objects need, and returns their kinds. */
export async function prepareKinds(caller: WireCaller): Promise<Kind[]> {
  const { nsClusterId } = await caller.call(NSClusterService.method.createNSCluster, { name: "c" });
  const { nsDomainId } = await caller.call(NSDomainService.method.createNSDomain, { nsClusterId, name: "example.com" });
  const { userId } = await caller.call(UserService.method.createUser, { username: "payer", password: "payer-word-1" });
  return [REPORT_NODE_GROUPS, DOMAIN_GROUPS, records(nsDomainId), bookings(userId)];
}

const REPORT_NODE_GROUPS: Kind = {
  name: "group of report nodes",
  service: "ReportNodeGroupService",
  sql: "select name from reportNodeGroups where state = 1",
  async create(caller, name, key) {
    return (await caller.call(ReportNodeGroupService.method.createReportNodeGroup, { name }, key)).reportNodeGroupId;
  },
  changes: {
    update: (caller, reportNodeGroupId, name, key) =>
      caller.call(ReportNodeGroupService.method.updateReportNodeGroup, { reportNodeGroupId, name }, key),
    remove: (caller, reportNodeGroupId, key) =>
      caller.call(ReportNodeGroupService.method.deleteReportNodeGroup, { reportNodeGroupId }, key),
  },
};

const DOMAIN_GROUPS: Kind = {
  name: "group of domains",
  service: "NSDomainGroupService",
  sql: "select name from nsDomainGroups where state = 1",
  async create(caller, name, key) {
    return (await caller.call(NSDomainGroupService.method.createNSDomainGroup, { name }, key)).nsDomainGroupId;
  },
  changes: {
    update: (caller, nsDomainGroupId, name, key) =>
      caller.call(NSDomainGroupService.method.updateNSDomainGroup, { nsDomainGroupId, name, isOn: true }, key),
    remove: (caller, nsDomainGroupId, key) =>
      caller.call(NSDomainGroupService.method.deleteNSDomainGroup, { nsDomainGroupId }, key),
  },
};

/** DNS records, whose labels are names; they are counted and versioned beside their rows. */
function records(nsDomainId: bigint): Kind {
  const fields = (text: string) => {
    const [name = "", value = ""] = text.split("=");
    return { name, type: "TXT", value };
  };
  return {
    name: "record",
    service: "NSRecordService",
    sql: "select name || '=' || value from nsRecords where state = 1",
    async create(caller, text, key) {
      const request = { nsDomainId, ...fields(text) };
      return (await caller.call(NSRecordService.method.createNSRecord, request, key)).nsRecordId;
    },
    changes: {
      update: (caller, nsRecordId, text, key) =>
        caller.call(NSRecordService.method.updateNSRecord, { nsRecordId, isOn: true, ...fields(text) }, key),
      remove: (caller, nsRecordId, key) => caller.call(NSRecordService.method.deleteNSRecord, { nsRecordId }, key),
    },
  };
}

/** Payments into one account: the kind of change that must not happen twice. */
function bookings(userAccountId: bigint): Kind {
  return {
    name: "booking",
    service: "UserAccountService",
    sql: "select description from userAccountLogs where state = 1",
    async create(caller, description, key) {
      const request = { userAccountId, delta: 1, eventType: "charge", description };
      await caller.call(UserAccountService.method.updateUserAccount, request, key);
      return 0n;
    },
  };
}

/** Queries that find nothing unless sums and counts differ from the rows that they sum up. */
export const CONTRADICTIONS: Readonly<Record<string, string>> = {
  "the balance is not the sum of the bookings":
    "select 1 from userAccounts a where total <> (select coalesce(sum(delta), 0) from userAccountLogs where userAccountId = a.id)",
  "a booking does not follow the one before":
    "select 1 from (select total, delta, lag(total, 1, 0) over (order by id) as before from userAccountLogs) where total <> before + delta",
  "the count of records is not their number":
    "select 1 from (select (select coalesce(sum(n), 0) from nsRecordCounts) as n, (select count(*) from nsRecords where state = 1) as m) where n <> m",
};
