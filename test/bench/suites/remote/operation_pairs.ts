import { type Client } from "@libsql/client/web";
import { as, type TestCaller, type TestKernel } from "edgehelm/testing";
import type { RemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { NSClusterService } from "../../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NSDomainService } from "../../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSDomainGroupService } from "../../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { UserService } from "../../../../plugins/user/proto/service_user_pb.ts";
import { type Recorded, recorded, renamed, replay } from "./statements.ts";

const ROWS = 100;
/** Stands in recorded statements where each call needs a name of its own. */
const NAME = "recorded";

type Post = (path: string, request: unknown, token?: string) => Promise<void>;

/** An operation, and the client alone doing the same statements. */
export interface OperationPair {
  readonly name: string;
  readonly ours: () => Promise<unknown>;
  /** The same by an instance that has a replica. */
  readonly nearby?: () => Promise<unknown>;
  readonly client: () => Promise<unknown>;
}

/** The kernels and the client whose calls are compared. */
export interface Sides {
  readonly edgehelm: TestKernel;
  readonly engine: RemoteEngine;
  readonly nearby: TestKernel;
  readonly client: Client;
}

/** Finding, listing and creating domain groups, which are one row, and domains, shown with cluster, owner and groups. */
export async function operationPairs(sides: Sides): Promise<OperationPair[]> {
  const { edgehelm, engine, nearby, client } = sides;
  const { createNSCluster } = NSClusterService.method;
  const admin = as.admin();
  const { nsClusterId } = await edgehelm.call(admin, createNSCluster, { name: "bench", hosts: ["ns1.bench.test"] });
  const [ada, other] = [await newUser(edgehelm, "ada"), await newUser(edgehelm, "other")];
  const groupIds: bigint[] = [];
  const domainIds: bigint[] = [];
  const { createNSDomainGroup } = NSDomainGroupService.method;
  const { createNSDomain } = NSDomainService.method;
  for (let made = 0; made < ROWS; made++) {
    const name = `row${made}`;
    const { nsDomainGroupId } = await edgehelm.call(ada, createNSDomainGroup, { name });
    groupIds.push(nsDomainGroupId);
    const domain = { name: `${name}.bench.test`, nsClusterId, nsDomainGroupIds: [groupIds[0]!] };
    domainIds.push((await edgehelm.call(ada, createNSDomain, domain)).nsDomainId);
  }
  const tokens = { ada: (await edgehelm.token(ada))!, other: (await edgehelm.token(other))! };
  const [post, postNearby] = [postTo(edgehelm, tokens.ada), postTo(nearby, tokens.ada)];
  const same = async (
    name: string,
    request: (post: Post, turn: number) => Promise<unknown>,
    different = 1,
  ): Promise<OperationPair> => {
    const statements: Recorded[] = [];
    for (let turn = 0; turn < different; turn++) statements.push(await recorded(engine, () => request(post, turn)));
    let [ours, near, theirs] = [0, 0, 0];
    return {
      name,
      ours: () => request(post, ours++ % different),
      nearby: () => request(postNearby, near++ % different),
      client: () => replay(client, statements[theirs++ % different]!),
    };
  };
  // another user's, so that lists stay as long as they are
  const creating = async (name: string, create: (name: string) => Promise<unknown>): Promise<OperationPair> => {
    const statements = await recorded(engine, () => create(NAME));
    let [ours, theirs] = [0, 0];
    return {
      name,
      ours: () => create(`ours${ours++}`),
      client: () => replay(client, renamed(statements, NAME, `client${theirs++}`)),
    };
  };
  const group = (name: string) => post("NSDomainGroupService/createNSDomainGroup", { name }, tokens.other);
  const domain = (name: string) => {
    const request = { name: `${name}.test`, nsClusterId: Number(nsClusterId) };
    return post("NSDomainService/createNSDomain", request, tokens.other);
  };
  return [
    await same(
      "group_find",
      (to, turn) => to("NSDomainGroupService/findNSDomainGroup", { nsDomainGroupId: Number(groupIds[turn]) }),
      ROWS,
    ),
    await same("group_list", (to) => to("NSDomainGroupService/findAllNSDomainGroups", {})),
    await creating("group_create", group),
    await same(
      "domain_find",
      (to, turn) => to("NSDomainService/findNSDomain", { nsDomainId: Number(domainIds[turn]) }),
      ROWS,
    ),
    await same("domain_list", (to) => to("NSDomainService/listNSDomains", { size: 20 })),
    await creating("domain_create", domain),
  ];
}

/** Calls that read the bytes of the response and no more: what a client makes of them is not measured. */
function postTo({ fetch }: TestKernel, standardToken: string): Post {
  return async (path, request, token = standardToken) => {
    const headers = { "x-cloud-access-token": token };
    const init = { method: "POST", headers, body: JSON.stringify(request) };
    const response = await fetch(new Request(`http://edgehelm.test/${path}`, init));
    const text = await response.text();
    if (!text.startsWith('{"code":200')) throw new Error(`${path}: ${text}`);
  };
}

async function newUser(edgehelm: TestKernel, username: string): Promise<TestCaller> {
  const request = { username, password: `${username} walks in the rain`, fullname: username };
  return as.user((await edgehelm.call(as.admin(), UserService.method.createUser, request)).userId);
}
