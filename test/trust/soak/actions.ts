import { UserAccessKeyService } from "../../../plugins/user_access_key/proto/service_user_access_key_pb.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { HTTPAccessLogService } from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { LogService } from "../../../plugins/log/proto/service_log_pb.ts";
import { NodeLogService } from "../../../plugins/node_log/proto/service_node_log_pb.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { ServerDailyStatService } from "../../../plugins/server_daily_stat/proto/service_server_daily_stat_pb.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import type { Wire } from "../../harness/wire.ts";
import { leaveInTheMiddle, sendMalformed } from "./bad_clients.ts";
import type { MixedLoad } from "./mixed_load.ts";
import type { LoadRole } from "./objects.ts";

/** One kind of call or event of the load. */
export interface LoadAction {
  /** The frequency, relative to the others. */
  readonly weight: number;
  run(load: MixedLoad, wire: Wire): Promise<unknown>;
}

const KEPT = 200;
const OPEN_STREAMS = 20;
/** gRPC has one status for what is too large and for what is too much. */
const TOO_MANY = [413, 429];
const LOGS = 20;
const STREAM_PATH = "/pb.NSNodeService/nsNodeStream";
const seconds = () => BigInt(Math.floor(Date.now() / 1000));
const today = () => new Date().toISOString().slice(0, 10).replaceAll("-", "");

/** The load: what the callers of an installation do all day. */
export const ACTIONS: Readonly<Record<string, LoadAction>> = {
  read: {
    weight: 16,
    run: (load, wire) =>
      load.call(wire, "admin", NSDomainService.method.findNSDomain, {
        nsDomainId: load.random.oneOf(load.objects.nsDomainIds),
      }),
  },
  readSite: {
    weight: 4,
    run: (load, wire) =>
      load.call(wire, "user", ServerService.method.findEnabledServer, { serverId: load.objects.serverId }),
  },
  list: {
    weight: 8,
    run: (load, wire) =>
      load.call(wire, "admin", NSDomainService.method.listNSDomains, {
        offset: BigInt(load.random.below(150)),
        size: 20n,
      }),
  },
  listRecords: {
    weight: 4,
    run: (load, wire) =>
      load.call(wire, "admin", NSRecordService.method.listNSRecords, {
        nsDomainId: load.random.oneOf(load.objects.nsDomainIds),
        size: 20n,
      }),
  },
  listUsers: {
    weight: 2,
    run: (load, wire) => load.call(wire, "admin", UserService.method.listEnabledUsers, { keyword: "ada", size: 10n }),
  },
  search: {
    weight: 4,
    run: (load, wire) =>
      load.call(wire, "admin", NSDomainService.method.listNSDomains, {
        keyword: `${load.random.below(100)}.exa`,
        size: 10n,
      }),
  },
  searchLogs: {
    weight: 1,
    run: (load, wire) =>
      load.call(wire, "user", HTTPAccessLogService.method.listHTTPAccessLogs, {
        ...{ day: today(), size: 10n, partition: -1 },
        keyword: `status:${load.random.oneOf([200, 404, 500])}`,
      }),
  },
  listAudit: {
    weight: 1,
    run: (load, wire) => load.call(wire, "admin", LogService.method.listLogs, { size: 10n }),
  },
  writeGroup: {
    weight: 6,
    async run(load, wire) {
      const name = `g${load.serial()}`;
      const group = await load.call(wire, "user", NSDomainGroupService.method.createNSDomainGroup, { name });
      if (group !== undefined) load.created.groups.push(group.nsDomainGroupId);
      const nsDomainGroupId = load.created.groups.length > 20 ? load.created.groups.shift() : undefined;
      if (nsDomainGroupId === undefined) return;
      await load.call(wire, "user", NSDomainGroupService.method.deleteNSDomainGroup, { nsDomainGroupId });
    },
  },
  writeRecord: {
    weight: 6,
    async run(load, wire) {
      const record = await load.call(wire, "admin", NSRecordService.method.createNSRecord, {
        nsDomainId: load.random.oneOf(load.objects.nsDomainIds),
        ...{ name: `r${load.serial()}`, type: "A", value: "192.0.2.7", ttl: 600 },
      });
      if (record !== undefined) load.created.records.push(record.nsRecordId);
      const nsRecordId = load.created.records.length > KEPT ? load.created.records.shift() : undefined;
      if (nsRecordId === undefined) return;
      await load.call(wire, "admin", NSRecordService.method.deleteNSRecord, { nsRecordId });
    },
  },
  uploadLogs: {
    weight: 3,
    run(load, wire) {
      const { nodeId, serverId } = load.objects;
      const httpAccessLogs = Array.from({ length: LOGS }, () => ({
        requestId: `${Date.now()}${nodeId}${1_000_000 + load.serial()}`,
        ...{ serverId, nodeId, timestamp: seconds(), status: load.random.oneOf([200, 200, 404, 500]) },
        ...{ requestURI: `/page/${load.random.below(1000)}`, host: "www.shop.example", remoteAddr: "203.0.113.9" },
        requestMethod: "GET",
      }));
      return load.call(wire, "node", HTTPAccessLogService.method.createHTTPAccessLogs, { httpAccessLogs });
    },
  },
  uploadStats: {
    weight: 2,
    run(load, wire) {
      const { serverId, userId } = load.objects;
      const stats = [{ serverId, userId, bytes: 1000n, countRequests: 3n, createdAt: seconds() }];
      return load.call(wire, "node", ServerDailyStatService.method.uploadServerDailyStats, { stats });
    },
  },
  writeNodeLog: {
    weight: 1,
    run(load, wire) {
      const log = { role: "node", nodeId: load.objects.nodeId, level: "error", tag: "LISTENER", createdAt: seconds() };
      const nodeLogs = [{ ...log, description: `cannot listen on :${load.random.below(100)}` }];
      return load.call(wire, "node", NodeLogService.method.createNodeLogs, { nodeLogs });
    },
  },
  poll: {
    weight: 3,
    run: (load, wire) => load.call(wire, "node", NodeService.method.findCurrentNodeConfig, { version: 0n }),
  },
  exchange: {
    weight: 1,
    async run(load, wire) {
      const role = load.random.oneOf<LoadRole>(["admin", "user", "node", "dns"]);
      const { id, secret } = load.objects.keys[role];
      const request = { type: role, accessKeyId: id, accessKey: secret };
      const response = await load.call(wire, undefined, APIAccessTokenService.method.getAPIAccessToken, request);
      if (response !== undefined) load.objects.tokens[role] = response.token;
    },
  },
  turnKeys: {
    weight: 1,
    async run(load, wire) {
      const { userId } = load.objects;
      const method = UserAccessKeyService.method;
      const key = await load.call(wire, "admin", method.createUserAccessKey, { userId });
      if (key === undefined) return;
      await load.call(wire, "admin", method.deleteUserAccessKey, { userAccessKeyId: key.userAccessKeyId });
    },
  },
  failedLogin: {
    weight: 1,
    run(load, wire) {
      // Always the same name, which is soon refused without a look: other names of this address stay open.
      const request = { username: "mallory", password: `guess ${load.serial()}` };
      return load.call(wire, "admin", UserService.method.loginUser, request, [200, ...TOO_MANY]);
    },
  },
  invalid: {
    weight: 3,
    async run(load, wire) {
      const { method } = NSDomainService;
      await load.call(wire, "admin", method.listNSDomains, { size: -1n }, [400]);
      await load.call(wire, "admin", method.deleteNSDomain, { nsDomainId: 999_999n }, [404]);
      await load.call(wire, "user", method.listNSDomains, { keyword: "x".repeat(10_000) }, [200, 400]);
      await load.call(wire, "node", method.findNSDomain, { nsDomainId: 1n }, [403]);
      await load.call(wire, undefined, method.findNSDomain, { nsDomainId: 1n }, [401]);
    },
  },
  malformed: { weight: 2, run: sendMalformed },
  leave: { weight: 2, run: leaveInTheMiddle },
  reconnect: {
    weight: 1,
    run(load) {
      load.wires.reconnect();
      return Promise.resolve();
    },
  },
  stream: {
    weight: 1,
    run(load) {
      load.streams.push(load.wires.grpc.stream(STREAM_PATH, load.objects.tokens.dns));
      if (load.streams.length > OPEN_STREAMS) load.streams.shift()!.cancel();
      return Promise.resolve();
    },
  },
};
