import { type Handlers, mayAccessOwner, textField } from "edgehelm";
import { countRows, listRows, pageRows } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { Instance } from "./instance.ts";
import { accessField, addressURLs, listenField } from "./rules.ts";
import type { APINodeService, CreateAPINodeRequest, UpdateAPINodeRequest } from "./proto/service_api_node_pb.ts";
import type { APINodeFields, APINodeRow, APINodeStore } from "./store.ts";

export function apiNodeHandlers(nodes: APINodeStore, instance: Instance): Handlers<typeof APINodeService> {
  return {
    async createAPINode(request, call) {
      const { id } = await nodes.insert.one(call, {
        ...fieldsOf(request),
        uniqueId: crypto.randomUUID().replaceAll("-", ""),
        instanceCode: "",
        isPrimary: await nodes.primary.first(call, {}) === undefined,
      });
      return { apiNodeId: id };
    },

    async updateAPINode(request, call) {
      const fields = fieldsOf(request);
      const { id, isPrimary } = await nodes.require(call, "apiNodeId", request.apiNodeId);
      if (isPrimary === 1n && !request.isPrimary) throw errors.primary_needed(id);
      if (isPrimary === 0n && request.isPrimary) await nodes.demote.run(call, {});
      await nodes.update.run(call, { id, ...fields, isPrimary: request.isPrimary });
      return {};
    },

    async deleteAPINode({ apiNodeId }, call) {
      const { id, isPrimary, instanceCode } = await nodes.require(call, "apiNodeId", apiNodeId);
      if (instanceCode === instance.code) throw errors.is_current(id);
      if (isPrimary === 1n) throw errors.is_primary(id);
      await nodes.remove.run(call, { id });
      return {};
    },

    findAllEnabledAPINodes: listRows(nodes.list, "apiNodes", nodeMessage, () => ({})),
    countAllEnabledAPINodes: countRows(nodes.list, () => ({})),
    countAllEnabledAndOnAPINodes: countRows(nodes.list, () => ({ isOn: true })),
    listEnabledAPINodes: pageRows(nodes.list, "apiNodes", nodeMessage, () => ({})),
    async findEnabledAPINode({ apiNodeId }, call) {
      const row = await nodes.find(call, apiNodeId);
      if (row === undefined) return {};
      if (mayAccessOwner(call.caller, 0n)) return { apiNode: nodeMessage(row) };
      return row.isOn === 1n ? { apiNode: messageToUsers(row) } : {};
    },

    findCurrentAPINodeVersion: (_request, call) => instance.version(call),

    async findCurrentAPINode(_request, call) {
      return { apiNode: nodeMessage(await instance.report(call)) };
    },
  };
}

function fieldsOf(request: CreateAPINodeRequest | UpdateAPINodeRequest): APINodeFields {
  return {
    name: textField("name", request.name, { min: 1 }),
    description: textField("description", request.description, { max: 1000 }),
    isOn: request.isOn,
    restIsOn: request.restIsOn,
    httpJSON: listenField("httpJSON", request.httpJSON, "http"),
    httpsJSON: listenField("httpsJSON", request.httpsJSON, "https"),
    restHTTPJSON: listenField("restHTTPJSON", request.restHTTPJSON, "http"),
    restHTTPSJSON: listenField("restHTTPSJSON", request.restHTTPSJSON, "https"),
    accessAddrsJSON: accessField("accessAddrsJSON", request.accessAddrsJSON),
  };
}

/** Returns what users see of an API node. */
function messageToUsers(row: APINodeRow) {
  return {
    id: row.id,
    isOn: true,
    name: row.name,
    ...(row.accessAddrsJSON && { accessAddrsJSON: row.accessAddrsJSON }),
    accessAddrs: addressURLs(row.accessAddrsJSON),
  };
}

function nodeMessage(row: APINodeRow) {
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    uniqueId: row.uniqueId,
    name: row.name,
    description: row.description,
    ...(row.httpJSON && { httpJSON: row.httpJSON }),
    ...(row.httpsJSON && { httpsJSON: row.httpsJSON }),
    ...(row.restHTTPJSON && { restHTTPJSON: row.restHTTPJSON }),
    ...(row.restHTTPSJSON && { restHTTPSJSON: row.restHTTPSJSON }),
    ...(row.accessAddrsJSON && { accessAddrsJSON: row.accessAddrsJSON }),
    accessAddrs: addressURLs(row.accessAddrsJSON),
    ...(row.statusJSON && { statusJSON: row.statusJSON }),
    RestIsOn: row.restIsOn === 1n,
    isPrimary: row.isPrimary === 1n,
    instanceCode: row.instanceCode,
  };
}
