import { ConnectedNode, type Instances } from "../harness/instances.ts";
import type { Envelope } from "../harness/server.ts";
import { type Chaos, pause } from "./instances_chaos.ts";

export interface Running {
  isOver: boolean;
}

/** The time in milliseconds after which a client gives up on a suspended instance. */
const CALL_TIMEOUT = 4000;
const MAX_ATTEMPTS = 40;

/** Posts to an instance. Returns undefined without a response, even if the call was executed. */
async function send(
  { servers }: Instances,
  index: number,
  token: string,
  path: string,
  request: object,
  headers: Record<string, string> = {},
): Promise<Envelope | undefined> {
  const response = servers[index % servers.length]!.postWith(token, path, request, headers).catch(() => undefined);
  return await Promise.race([response, pause(CALL_TIMEOUT).then(() => undefined)]);
}

const random = (below: number) => Math.floor(Math.random() * below);

/** Writes through all instances. Calls with an idempotency key are retried on other instances until they succeed. */
export class WriteLoad {
  readonly #instances: Instances;
  readonly #token: string;
  readonly #running: Running;
  readonly #changes = new Set<string>();
  readonly #groups = new Set<string>();
  #attempts = 0;
  #unknown = 0;
  #respondedAt = performance.now();
  #maxGap = 0;

  constructor(instances: Instances, token: string, running: Running) {
    this.#instances = instances;
    this.#token = token;
    this.#running = running;
  }

  async run(writer: number): Promise<void> {
    for (let turn = 0; !this.#running.isOver; turn++) {
      const text = `${writer}-${turn}`;
      const kind = turn % 4;
      const path = kind === 3 ? "/NSDomainGroupService/createNSDomainGroup" : `/ProbeService/${PATHS[kind]}`;
      const request = kind === 3 ? { name: text } : { text };
      const isKeyed = kind !== 1;
      const isDone = await this.#retry(
        path,
        request,
        isKeyed ? { "idempotency-key": text } : {},
        isKeyed ? MAX_ATTEMPTS : 1,
      );
      if (!isDone) this.#unknown++;
      else (kind === 3 ? this.#groups : this.#changes).add(text);
    }
  }

  async #retry(path: string, request: object, headers: Record<string, string>, maxAttempts: number): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      this.#attempts++;
      const response = await send(this.#instances, random(64), this.#token, path, request, headers);
      if (response?.code === 200) {
        this.#maxGap = Math.max(this.#maxGap, performance.now() - this.#respondedAt);
        this.#respondedAt = performance.now();
        return true;
      }
      // The call may have been executed; its outcome is unknown.
      if (response?.code === 409) return false;
      await pause(50);
    }
    return false;
  }

  async figures() {
    const [server] = this.#instances.servers;
    const changes: string[] = JSON.parse((await server!.post("/ProbeService/look", { text: "changes" })).data.text);
    const { data } = await server!.post("/NSDomainGroupService/findAllNSDomainGroups", {});
    const groups = (data.nsDomainGroups as { name: string }[]).map(({ name }) => name);
    const lost = [...this.#changes].filter((text) => !new Set(changes).has(text));
    const lostGroups = [...this.#groups].filter((name) => !new Set(groups).has(name));
    return {
      attempts: this.#attempts,
      acknowledged: this.#changes.size + this.#groups.size,
      unknown: this.#unknown,
      maxGap: Math.round(this.#maxGap),
      lost: lost.length + lostGroups.length,
      duplicates: changes.length - new Set(changes).size + groups.length - new Set(groups).size,
    };
  }
}

const PATHS = ["change", "change", "reach"];

/** Disables keys and measures how long instances still accept their tokens. */
export class RevocationLoad {
  readonly #instances: Instances;
  readonly #token: string;
  readonly #running: Running;
  readonly #chaos: Chaos;
  readonly #delays: number[] = [];

  constructor(instances: Instances, token: string, running: Running, chaos: Chaos) {
    this.#instances = instances;
    this.#token = token;
    this.#running = running;
    this.#chaos = chaos;
  }

  async run(): Promise<void> {
    while (!this.#running.isOver) {
      await this.#once();
      await pause(500);
    }
  }

  async #once(): Promise<void> {
    const { servers } = this.#instances;
    const path = "/UserAccessKeyService/createUserAccessKey";
    const key = (await send(this.#instances, this.#chaos.healthyIndex(), this.#token, path, { adminId: 1 }))?.data;
    if (key?.uniqueId === undefined) return;
    const token = await servers[this.#chaos.healthyIndex()]!.token(key.uniqueId, key.secret).catch(() => undefined);
    if (token === undefined) return;
    const look = (index: number) => send(this.#instances, index, token, "/ProbeService/look", { text: "nothing" });
    await Promise.all(servers.map((_, index) => look(index)));
    const update = { userAccessKeyId: key.userAccessKeyId, isOn: false };
    const disabled = await send(this.#instances, this.#chaos.healthyIndex(), this.#token, DISABLE_KEY, update);
    if (disabled?.code !== 200) return;
    const disabledAt = performance.now();
    this.#delays.push(
      ...await Promise.all(servers.map((_, index) => this.#lastAccepted(disabledAt, () => look(index)))),
    );
  }

  /** Returns the time of the last accepted call, in milliseconds after the key was disabled. */
  async #lastAccepted(disabledAt: number, look: () => Promise<Envelope | undefined>): Promise<number> {
    let lastAccepted = 0;
    for (;;) {
      const sentAt = performance.now() - disabledAt;
      const response = await look();
      if (response?.code === 200) lastAccepted = sentAt;
      if (response?.code === 401 || sentAt > 3000) return lastAccepted;
      await pause(20);
    }
  }

  figures() {
    const sorted = this.#delays.toSorted((a, b) => a - b);
    return {
      measured: sorted.length,
      median: Math.round(sorted[sorted.length >> 1] ?? 0),
      max: Math.round(sorted.at(-1) ?? 0),
      late: sorted.filter((delay) => delay >= 1000).length,
    };
  }
}

const DISABLE_KEY = "/UserAccessKeyService/updateUserAccessKeyIsOn";

/** Sends commands to a node, which is connected to varying instances. */
export class CommandLoad {
  readonly #instances: Instances;
  readonly #token: string;
  readonly #running: Running;
  readonly #chaos: Chaos;
  readonly #codes: string[] = [];
  #sent = 0;
  #succeeded = 0;
  readonly #failed: Record<string, number> = {};

  constructor(instances: Instances, token: string, running: Running, chaos: Chaos) {
    this.#instances = instances;
    this.#token = token;
    this.#running = running;
    this.#chaos = chaos;
  }

  async run(): Promise<void> {
    const server = this.#instances.servers[this.#chaos.healthyIndex()]!;
    const cluster = await server.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.edge.test"] });
    const request = { name: "node", nodeClusterId: cluster.data.nsClusterId };
    const { nsNodeId } = (await server.post("/NSNodeService/createNSNode", request)).data;
    const { uniqueId, secret } = (await server.post("/NSNodeService/findNSNode", { nsNodeId })).data.nsNode;
    let node: ConnectedNode | undefined;
    while (!this.#running.isOver) {
      if (node === undefined || node.codes.includes("end")) {
        this.#codes.push(...node?.codes ?? []);
        node = new ConnectedNode(this.#instances.servers[this.#chaos.healthyIndex()]!, uniqueId, secret);
        await pause(1000);
      }
      await this.#send(nsNodeId);
    }
    node?.stop();
    this.#codes.push(...node?.codes ?? []);
  }

  async #send(nsNodeId: number): Promise<void> {
    const command = { nsNodeId, code: `command ${this.#sent++}`, timeoutSeconds: 2 };
    const response = await send(
      this.#instances,
      random(64),
      this.#token,
      "/NSNodeService/sendCommandToNSNode",
      command,
    );
    const reason = response?.code === 200 ? response.data.message : response?.message ?? "no response";
    if (response?.data?.isOk === true) this.#succeeded++;
    else this.#failed[reason] = (this.#failed[reason] ?? 0) + 1;
    await pause(100);
  }

  figures() {
    const received = this.#codes.filter((code) => code.startsWith("command"));
    return {
      sent: this.#sent,
      succeeded: this.#succeeded,
      failed: this.#failed,
      duplicates: received.length - new Set(received).size,
    };
  }
}
