import {
  type Call,
  type Handlers,
  idField,
  invalid,
  kernelErrors,
  listField,
  numberField,
  ownerOf,
  pageOf,
  textField,
  type UseCheck,
} from "edgehelm";
import { refuseWhenUsed } from "edgehelm/rows";
import type { NSClusters } from "../ns_cluster/contract.ts";
import type { NSDomains } from "../ns_domain/contract.ts";
import type { NSNodes } from "../ns_node/contract.ts";
import type { Users } from "../user/contract.ts";
import { CARRIER_ROUTES, CRAWLER_ROUTES, PROVINCE_ROUTES, WORLD_ROUTES } from "./built_in.ts";
import type { NSRouteSummary } from "./contract.ts";
import { plainMessage } from "./messages.ts";
import { errors } from "./errors.ts";
import { rangesField } from "./rules.ts";
import type { NSRouteService } from "./proto/service_ns_route_pb.ts";
import type { NSRouteRow, NSRouteStore } from "./store.ts";

/** The contracts of what a route can be limited to, and of the nodes that receive it. */
export interface Deps {
  readonly nodes: NSNodes | undefined;
  readonly clusters: NSClusters;
  readonly domains: NSDomains | undefined;
  readonly users: Users | undefined;
}

export function nsRouteHandlers(
  routes: NSRouteStore,
  { clusters, domains, nodes, users }: Deps,
  uses: readonly UseCheck[],
): Handlers<typeof NSRouteService> {
  async function requireScope(call: Call, request: Pick<NSRouteRow, "nsClusterId" | "nsDomainId" | "userId">) {
    const { nsClusterId, nsDomainId, userId } = request;
    if (nsClusterId !== 0n) await clusters.requireCluster(call, "nsClusterId", nsClusterId);
    if (nsDomainId !== 0n) {
      if (domains === undefined) throw invalid("nsDomainId", "must be 0: domains are not enabled");
      const domain = await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      if (![0n, domain.userId].includes(userId)) throw kernelErrors.other_owner("nsDomainId", nsDomainId);
    }
    if (userId !== 0n) await users?.requireUser(call, "userId", idField("userId", userId));
    return { nsClusterId, nsDomainId, userId };
  }

  /** Returns the rows for the nodes of a cluster. They receive the routes of other clusters as deleted ones. */
  async function forCluster(call: Call, nsClusterId: bigint, rows: readonly NSRouteRow[]) {
    const limited = distinct(rows.map((row) => row.nsDomainId));
    const domainOf = await domains?.served(call, limited.filter((id) => id !== 0n));
    const isUsed = (row: NSRouteRow) =>
      [0n, nsClusterId].includes(row.nsClusterId) &&
      (row.nsDomainId === 0n || domainOf?.get(row.nsDomainId)?.nsClusterId === nsClusterId);
    return rows.map((row) => isUsed(row) ? feedMessage(row) : { id: row.id, version: row.version, isDeleted: true });
  }

  async function messages(call: Call, rows: readonly NSRouteRow[]) {
    const clusterOf = await clusters.nested(call, distinct(rows.map((row) => row.nsClusterId)));
    const domainOf = await domains?.nested(call, distinct(rows.map((row) => row.nsDomainId)));
    return rows.map((row) => {
      const cluster = clusterOf.get(row.nsClusterId);
      const domain = domainOf?.get(row.nsDomainId);
      return {
        ...plainMessage(row),
        ...(cluster && { nsCluster: cluster }),
        ...(domain && { nsDomain: domain }),
      };
    });
  }

  return {
    async createNSRoute(request, call) {
      requireNoCategory(request.nsRouteCategoryId);
      const name = textField("name", request.name, { min: 1 });
      if (!rangesField("rangesJSON", request.rangesJSON)) throw invalid("rangesJSON", "must not be empty");
      const priority = BigInt(priorityField(request.priority));
      const scope = await requireScope(call, request);
      const { rangesJSON, isPublic } = request;
      return { nsRouteId: await routes.create(call, { ...scope, name, rangesJSON, isPublic, priority }) };
    },

    async updateNSRoute(request, call) {
      const row = await routes.require(call, "nsRouteId", request.nsRouteId);
      requireNoCategory(request.nsRouteCategoryId);
      await routes.change(call, row, {
        name: textField("name", request.name, { min: 1 }),
        ...(rangesField("rangesJSON", request.rangesJSON) && { rangesJSON: request.rangesJSON }),
        isPublic: request.isPublic ? 1n : 0n,
        isOn: request.isOn ? 1n : 0n,
        priority: BigInt(priorityField(request.priority)),
      });
      return {};
    },

    async deleteNSRoute({ nsRouteId }, call) {
      const row = await routes.require(call, "nsRouteId", nsRouteId);
      await refuseWhenUsed(call, row.id, uses, (names) => errors.in_use(row.id, names));
      await routes.softDelete(call, [row.id]);
      return {};
    },

    async findNSRoute({ nsRouteId }, call) {
      const [nsRoute] = await messages(call, await routes.byId.all(call, { id: nsRouteId }));
      return { nsRoute };
    },

    countAllNSRoutes: (request, call) => routes.count(call, request),

    async findAllNSRoutes(request, call) {
      if (request.nsRouteCategoryId !== 0n) return {};
      const { nsClusterId, nsDomainId } = request;
      const userId = ownerOf(call, 0n);
      if (userId === 0n) return { nsRoutes: await messages(call, await routes.list(call, request)) };
      const visible = [...await routes.ofUser.all(call, { userId }), ...await routes.isPublic.all(call, {})];
      const rows = [...new Map(visible.map((row) => [row.id, row])).values()].filter((row) =>
        [0n, row.nsClusterId].includes(nsClusterId) && [0n, row.nsDomainId].includes(nsDomainId)
      );
      const inOrder = rows.sort((a, b) => Number(b.order - a.order) || Number(a.id - b.id));
      return { nsRoutes: await messages(call, inOrder) };
    },

    async findAllPublicNSRoutes(_request, call) {
      return { nsRoutes: await messages(call, await routes.isPublic.all(call, {})) };
    },

    async updateNSRouteOrders({ nsRouteIds }, call) {
      const ids = listField("nsRouteIds", nsRouteIds, idField, { unique: true });
      const rows = await routes.requireAll(call, ids);
      await routes.changeAll(call, rows.map((row, index) => ({ ...row, order: BigInt(ids.length - index) })));
      return {};
    },

    async listNSRoutesAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, { defaultSize: 2000n, maxSize: 10_000n });
      const rows = await routes.feed.after(call, { scope: 0n, version, size: page.size });
      const scope = await nodes?.followedCluster(call) ?? 0n;
      return { nsRoutes: scope === 0n ? rows.map(feedMessage) : await forCluster(call, scope, rows) };
    },

    findAllDefaultWorldRegionRoutes: () => ({ nsRoutes: WORLD_ROUTES.map(builtInMessage) }),
    findAllDefaultChinaProvinceRoutes: () => ({ nsRoutes: PROVINCE_ROUTES.map(builtInMessage) }),
    findAllDefaultISPRoutes: () => ({ nsRoutes: CARRIER_ROUTES.map(builtInMessage) }),
    findAllAgentNSRoutes: () => ({ nsRoutes: CRAWLER_ROUTES.map(builtInMessage) }),
  };
}

function requireNoCategory(id: bigint): void {
  if (id !== 0n) throw invalid("nsRouteCategoryId", `route category ${id} does not exist`);
}

function priorityField(value: number): number {
  return numberField("priority", value, { min: 0 });
}

function distinct(ids: readonly bigint[]): bigint[] {
  return [...new Set(ids)].filter((id) => id !== 0n);
}

function builtInMessage({ name, code }: NSRouteSummary) {
  return { name, code, isOn: true, isPublic: true };
}

function feedMessage(row: NSRouteRow) {
  return {
    ...plainMessage(row),
    ...(row.nsClusterId !== 0n && { nsCluster: { id: row.nsClusterId } }),
    ...(row.nsDomainId !== 0n && { nsDomain: { id: row.nsDomainId } }),
  };
}
