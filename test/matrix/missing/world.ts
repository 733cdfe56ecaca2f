import { MessageRecipientService } from "../../../plugins/message_recipient/proto/service_message_recipient_pb.ts";
import { NodeGrantService } from "../../../plugins/node_grant/proto/service_node_grant_pb.ts";
import { NodeIPAddressService } from "../../../plugins/node_ip_address/proto/service_node_ip_address_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import { openSettingsWorld, type SettingsWorld } from "../settings_world.ts";

/** A world with an object of every kind that requests refer to. */
export interface MissingWorld extends SettingsWorld {
  readonly tcpServerId: bigint;
  readonly udpServerId: bigint;
}

export async function openMissingWorld(): Promise<MissingWorld> {
  const world = await openSettingsWorld();
  const { edgehelm, admin, ada } = world;
  const ids = Object.assign({}, ...world.objects) as Record<string, bigint>;
  const { nodeId, nodeClusterId, nsDomainId, adminId, messageMediaInstanceId } = ids as { [name: string]: bigint };
  const site = { userId: ada.id, nodeClusterId: nodeClusterId! };
  const { createServer } = ServerService.method;
  const address = { nodeId: nodeId!, role: "node", name: "other", ip: "192.0.2.17", canAccess: true };
  const recipient = { adminId: adminId!, messageMediaInstanceId: messageMediaInstanceId!, user: "grace" };
  const record = { nsDomainId: nsDomainId!, name: "other", type: "TXT", value: "x" };
  await edgehelm.call(ada, NSRecordService.method.createNSRecord, record);
  const grant = { name: "other", method: "user", username: "root", password: "x" };
  const objects = {
    ...await edgehelm.call(admin, NodeGrantService.method.createNodeGrant, grant),
    ...await edgehelm.call(admin, NodeIPAddressService.method.createNodeIPAddress, address),
    ...await edgehelm.call(admin, MessageRecipientService.method.createMessageRecipient, recipient),
  };
  return {
    ...world,
    objects: [...world.objects, objects],
    tcpServerId: (await edgehelm.call(admin, createServer, { ...site, type: "tcpProxy" })).serverId,
    udpServerId: (await edgehelm.call(admin, createServer, { ...site, type: "udpProxy" })).serverId,
  };
}
