import { create, toBinary } from "@bufbuild/protobuf";
import { join } from "node:path";
import { CreateNSDomainGroupRequestSchema } from "../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { readDatabase } from "../harness/read_database.ts";
import { Random } from "../harness/random.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "./campaign.ts";
import { GrpcCaller } from "./grpc_caller.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "ns_domain_group", "user_access_key"];
const PATH = "/NSDomainGroupService/createNSDomainGroup";
const GRPC_PATH = "/pb.NSDomainGroupService/createNSDomainGroup";
const WORKERS = 4;
const MAX_MILLISECONDS = 1000;

/** Kills a server again and again while it creates objects, whose names may repeat, over HTTP and gRPC. */
export const kills: Campaign = {
  about: "kills a server under acknowledged writes over HTTP and gRPC, and repeats those without a response",
  rounds: 1000,
  async run(options) {
    const installation = { ...await installationDirectory(PLUGINS), ...CHOSEN_KEY };
    try {
      return await killRepeatedly(installation, options);
    } finally {
      await removeInstallation(installation);
    }
  },
};

/** The names of the objects of one round. */
interface Round {
  readonly prefix: string;
  readonly acknowledged: Set<string>;
  /** Over HTTP, without a response; each is also its idempotency key. */
  readonly open: Set<string>;
  /** Over gRPC, which has no idempotency keys, without a response. */
  readonly unknown: Set<string>;
}

async function killRepeatedly(
  installation: Record<string, string>,
  { seed, rounds, progress }: CampaignOptions,
): Promise<CampaignResult> {
  const random = new Random(seed);
  const path = join(installation["EDGEHELM_DATA"]!, "edgehelm.db");
  const figures = { acknowledged: 0, acknowledgedByGrpc: 0, repeated: 0, unknown: 0, lost: 0, doubled: 0, damaged: 0 };
  const broken: string[] = [];
  let last: Round | undefined;
  for (let number = 0; number <= rounds; number++) {
    if (number % 10 === 0) progress(`${number} of ${rounds} kills, ${figures.acknowledged} acknowledgements`);
    const server = await Server.start(installation);
    try {
      const token = await server.adminToken();
      if (last !== undefined) {
        figures.repeated += last.open.size;
        for (const name of last.open) await createOverHttp(server, token, name, last);
        broken.push(...compare(path, last, figures));
      }
      if (number === rounds) return { figures, broken };
      last = { prefix: `r${number}-`, acknowledged: new Set(), open: new Set(), unknown: new Set() };
      figures.acknowledgedByGrpc += await writeUntilKilled(server, token, last, random.below(MAX_MILLISECONDS));
    } finally {
      server.kill();
      await server.ended;
    }
    figures.acknowledged += last.acknowledged.size;
    figures.unknown += last.unknown.size;
    const [state] = readDatabase(path, "pragma integrity_check(1)");
    if (state?.[0] === "ok") continue;
    figures.damaged++;
    broken.push(`round ${number} left a damaged database: ${state?.[0]}`);
  }
  return { figures, broken };
}

/** Writes over both wires until the server is killed. Returns the number of acknowledgements by gRPC. */
async function writeUntilKilled(server: Server, token: string, round: Round, milliseconds: number): Promise<number> {
  let next = 0;
  let byGrpc = 0;
  const overHttp = async () => {
    for (;;) await createOverHttp(server, token, `${round.prefix}${next++}`, round);
  };
  const overGrpc = async () => {
    const caller = new GrpcCaller(server.grpcUrl, token);
    try {
      for (;;) {
        const name = `${round.prefix}${next++}`;
        round.unknown.add(name);
        const message = toBinary(CreateNSDomainGroupRequestSchema, create(CreateNSDomainGroupRequestSchema, { name }));
        if (await caller.call(GRPC_PATH, message) !== 0) return;
        round.unknown.delete(name);
        round.acknowledged.add(name);
        byGrpc++;
      }
    } finally {
      caller.close();
    }
  };
  const workers = Array.from({ length: WORKERS }, () => [overHttp(), overGrpc()]).flat();
  const timer = setTimeout(() => server.kill(), milliseconds);
  await Promise.allSettled(workers);
  clearTimeout(timer);
  return byGrpc;
}

/** Creates an object, with its name as the idempotency key. Throws if there is no response. */
async function createOverHttp(server: Server, token: string, name: string, round: Round): Promise<void> {
  round.open.add(name);
  const { code, message } = await server.postWith(token, PATH, { name }, { "idempotency-key": name });
  if (code !== 200) throw new Error(`${code} ${message}`);
  round.open.delete(name);
  round.acknowledged.add(name);
}

function compare(path: string, round: Round, figures: { lost: number; doubled: number }): string[] {
  const rows = readDatabase(
    path,
    `select name, count(*) from nsDomainGroups where name like '${round.prefix}%' group by name`,
  );
  const counts = new Map(rows.map(([name, count]) => [String(name), Number(count)]));
  const lost = [...round.acknowledged].filter((name) => !counts.has(name));
  const doubled = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  figures.lost += lost.length;
  figures.doubled += doubled.length;
  return [
    ...lost.map((name) => `${name} was acknowledged and is lost`),
    ...doubled.map((name) => `${name} is there ${counts.get(name)} times`),
    ...[...round.open].map((name) => `${name} could not be repeated`),
  ];
}
