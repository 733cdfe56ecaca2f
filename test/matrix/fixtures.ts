import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { TestCaller } from "edgehelm/testing";
import { NSClusterService } from "../../plugins/ns_cluster/service_ns_cluster_pb.ts";
import { NSDomainService } from "../../plugins/ns_domain/service_ns_domain_pb.ts";
import { NSDomainGroupService } from "../../plugins/ns_domain_group/service_ns_domain_group_pb.ts";
import { UserAccessKeyService } from "../../plugins/user_access_key/service_user_access_key_pb.ts";
import type { World } from "./world.ts";

/** Values for fields of requests by proto name, as the protobuf type has them: `nsDomainId`, or `findX.name` for one rpc. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object that a fixture made. */
export interface Made {
  /** The request fields that can name the object; a list field gets its value as the only item. */
  readonly fields: Fields;
  /** What may not be in an answer to a stranger. */
  readonly secrets: readonly string[];
}

/** How to make one object of a plugin, and how it is told apart from one that never existed. */
export interface Fixture {
  readonly plugin: string;
  /** Whether a user owns it; what nobody owns only has to exist, so that requests are right. */
  readonly owned: boolean;
  /** @param marker a word of letters, new for each object, to name it by */
  make(world: World, owner: TestCaller, marker: string): Promise<Made>;
  /** The fields of an object that never existed. */
  readonly absent: Fields;
  /** Everything of this kind that belongs to a user, to see whether it changed. */
  all?(world: World, owner: TestCaller): Promise<JsonValue>;
  /** What requests need besides ids to be right, by rpc name, in JSON. */
  readonly requests?: Readonly<Record<string, JsonObject>>;
}

const NEVER = 999_999_999n;

async function clusterOf({ edgehelm, admin }: World): Promise<bigint> {
  const { createNSCluster } = NSClusterService.method;
  const request = { name: "main", hosts: ["ns1.edge.test"], email: "dns@edge.test" };
  return (await edgehelm.call(admin, createNSCluster, request)).nsClusterId;
}

/** One entry for each plugin whose objects a user caller can name. */
export const fixtures: readonly Fixture[] = [
  {
    // Its id is a number to repeat, and names nothing.
    plugin: "hello_world",
    owned: false,
    make: () => Promise.resolve({ fields: { "SayHello.id": 7n }, secrets: [] }),
    absent: {},
  },
  {
    plugin: "ns_cluster",
    owned: false,
    make: async (world) => ({ fields: { nsClusterId: await clusterOf(world) }, secrets: [] }),
    absent: {},
  },
  {
    plugin: "ns_domain_group",
    owned: true,
    async make({ edgehelm }, owner, marker) {
      const { createNSDomainGroup } = NSDomainGroupService.method;
      const { nsDomainGroupId: id } = await edgehelm.call(owner, createNSDomainGroup, { name: marker });
      return { fields: { nsDomainGroupId: id, nsDomainGroupIds: id }, secrets: [marker] };
    },
    absent: { nsDomainGroupId: NEVER, nsDomainGroupIds: NEVER },
    async all({ edgehelm }, owner) {
      const { nsDomainGroups } = await edgehelm.call(owner, NSDomainGroupService.method.findAllNSDomainGroups, {});
      return nsDomainGroups.map(({ id, name, isOn }) => [`${id}`, name, isOn]);
    },
    requests: { updateNSDomainGroup: { name: "renamed", isOn: true } },
  },
  {
    plugin: "ns_domain",
    owned: true,
    async make(world, owner, marker) {
      const name = `${marker}.example.com`;
      const request = { name, nsClusterId: await clusterOf(world) };
      const { nsDomainId: id } = await world.edgehelm.call(owner, NSDomainService.method.createNSDomain, request);
      return { fields: domainFields(id, name), secrets: [marker] };
    },
    absent: domainFields(NEVER, "never.example.com"),
    async all({ edgehelm }, owner) {
      const { nsDomains } = await edgehelm.call(owner, NSDomainService.method.listNSDomains, { size: 1000n });
      return nsDomains.map(({ id, name, isOn, status, userId }) => [`${id}`, name, isOn, status, `${userId}`]);
    },
    requests: {
      createNSDomain: { name: "*.example.com" },
      createNSDomains: { names: ["*.example.com"] },
      updateNSDomain: { isOn: true },
    },
  },
  {
    plugin: "user_access_key",
    owned: true,
    async make({ edgehelm }, owner, marker) {
      const { createUserAccessKey } = UserAccessKeyService.method;
      const key = await edgehelm.call(owner, createUserAccessKey, { description: marker });
      return { fields: { userAccessKeyId: key.userAccessKeyId }, secrets: [marker, key.uniqueId, key.secret] };
    },
    absent: { userAccessKeyId: NEVER },
    async all({ edgehelm }, owner) {
      const { findAllEnabledUserAccessKeys } = UserAccessKeyService.method;
      const { userAccessKeys } = await edgehelm.call(owner, findAllEnabledUserAccessKeys, {});
      return userAccessKeys.map(({ id, isOn, uniqueId, description }) => [`${id}`, isOn, uniqueId, description]);
    },
  },
];

function domainFields(id: bigint, name: string): Fields {
  return { nsDomainId: id, names: name, "createNSDomains.names": undefined, "findNSDomainWithName.name": name };
}
