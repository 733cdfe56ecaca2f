import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { AdminDashboard } from "../admin/contract.ts";
import { NodeConfigParts, Nodes } from "../node/contract.ts";
import { NodeLogSubjects } from "../node_log/contract.ts";
import { NodeClusters, NodeClusterUses } from "../node_cluster/contract.ts";
import { DomainVerification } from "../ns_domain/contract.ts";
import { userRemoval, UserRemovals, Users, UserStateListeners, UserStates } from "../user/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { NameClaims } from "./claims.ts";
import { Composer, sitesPart } from "./composer.ts";
import { ServerReferenceResolvers, Servers, ServerTransferListeners, ServerUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { siteFigures } from "./dashboard.ts";
import { siteFeatures } from "./features.ts";
import { serverHandlers } from "./handlers/mod.ts";
import { migrations } from "./migrations/mod.ts";
import { Placement } from "./placement.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ServerService } from "./proto/service_server_pb.ts";
import { NameProofs } from "./proofs.ts";
import { SERVER_NAMES, SERVERS } from "./quota.ts";
import { takeReferences } from "./review.ts";
import { Serving } from "./serving.ts";
import { Sites } from "./sites.ts";
import { serverList, serverStore, type Tables } from "./store.ts";
import { nameStore } from "./store_names.ts";
import { serverContract } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  lists: [serverList],
  requires: {
    clusters: optional(NodeClusters),
    nodes: optional(Nodes),
    users: optional(Users),
    states: optional(UserStates),
    quotas: optional(UserQuotas),
    verification: optional(DomainVerification),
  },
  setup({ db, clock, deps, serve, provide, contribute, contributions, every }) {
    const tables = db<Tables>();
    const [servers, list] = [serverStore(tables), serverList.open(tables)];
    const resolvers = contributions(ServerReferenceResolvers);
    const related = { ...deps, resolvers, transferListeners: contributions(ServerTransferListeners) };
    const names = nameStore(tables);
    const proofs = new NameProofs(names, deps.verification, clock);
    const sites = new Sites(servers, new NameClaims(names), proofs, related, clock);
    const [composer, placement] = [new Composer(servers, related), new Placement(sites, related)];
    const [features, uses] = [siteFeatures(contributions), contributions(ServerUses)];
    serve(ServerService, serverHandlers({ servers, list, sites, placement, features, composer, related, uses }));
    const serving = new Serving(servers, deps.nodes);
    provide(Servers, serverContract(servers, names, sites, serving, features));
    contribute(NodeLogSubjects, { field: "serverId", ofCaller: (call, ids) => serving.timesOf(call, ids) });
    every({ name: "take_references", everySeconds: 60, run: takeReferences(servers, sites) });
    contribute(NodeConfigParts, sitesPart(composer));
    contribute(AdminDashboard, siteFigures(servers));
    contribute(NodeClusterUses, usedBy(servers.ofCluster, ({ name }) => `server "${name}"`));
    contribute(UserStateListeners, { changed: (call, userId) => sites.touchOfUser(call, userId) });
    for (const quota of [SERVER_NAMES, SERVERS]) contribute(UserQuotaDeclarations, quota);
    contribute(UserRemovals, proofs.removal);
    contribute(UserRemovals, userRemoval(servers.someOfUser, (call, ids) => sites.removeIds(call, ids)));
  },
});
export default plugin;
