import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Server } from "../../harness/server.ts";

/** A caller whose credential is about to end. */
export interface EndingCaller {
  readonly token: string;
  /** An operation that the caller may call. */
  readonly method: DescMethodUnary;
  /** Ends the credential through an instance. */
  end(server: Server): Promise<void>;
}

/** The ways in which credentials end: each creates a caller through a server. */
export const WAYS: Readonly<Record<string, (server: Server, name: string) => Promise<EndingCaller>>> = {
  "key turned off": (server, name) =>
    ofUser(server, name, "UserAccessKeyService/updateUserAccessKeyIsOn", ({ key }) => ({
      userAccessKeyId: key,
      isOn: false,
    })),
  "key deleted": (server, name) =>
    ofUser(server, name, "UserAccessKeyService/deleteUserAccessKey", ({ key }) => ({ userAccessKeyId: key })),
  "owner turned off": (server, name) =>
    ofUser(server, name, "UserService/updateUser", ({ user }) => ({
      ...{ userId: user, username: name, fullname: name },
      isOn: false,
    })),
  "owner deleted": (server, name) => ofUser(server, name, "UserService/deleteUser", ({ user }) => ({ userId: user })),
  "node turned off": (server, name) =>
    ofNode(server, name, "NSNodeService/updateNSNode", (nsNodeId) => ({ nsNodeId, name, isOn: false })),
  "node deleted": (server, name) => ofNode(server, name, "NSNodeService/deleteNSNode", (nsNodeId) => ({ nsNodeId })),
};

async function ofUser(
  server: Server,
  name: string,
  path: string,
  request: (ids: { user: number; key: number }) => object,
): Promise<EndingCaller> {
  const { userId } = await post(server, "UserService/createUser", {
    ...{ username: name, fullname: name, password: `${name} walks in the rain` },
  });
  const key = await post(server, "UserAccessKeyService/createUserAccessKey", { userId });
  return {
    token: await server.token(key.uniqueId, key.secret, "user"),
    method: NSDomainGroupService.method.findAllNSDomainGroups,
    end: (through) => post(through, path, request({ user: userId, key: key.userAccessKeyId })),
  };
}

async function ofNode(
  server: Server,
  name: string,
  path: string,
  request: (nsNodeId: number) => object,
): Promise<EndingCaller> {
  const hosts = ["ns1.edge.test"];
  const { nsClusterId } = await post(server, "NSClusterService/createNSCluster", { name, hosts });
  const { nsNodeId } = await post(server, "NSNodeService/createNSNode", { name, nodeClusterId: nsClusterId });
  const { nsNode } = await post(server, "NSNodeService/findNSNode", { nsNodeId });
  return {
    token: await server.token(nsNode.uniqueId, nsNode.secret, "dns"),
    method: NSNodeService.method.findCurrentNSNodeConfig,
    end: (through) => post(through, path, { nsClusterId, ...request(nsNodeId) }),
  };
}

// deno-lint-ignore no-explicit-any -- each operation has its own shape of data
async function post(server: Server, path: string, request: object): Promise<any> {
  const { code, message, data } = await server.post(`/${path}`, request);
  if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
  return data;
}
