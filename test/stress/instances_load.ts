import { ConnectedNode, type Instances } from "../harness/instances.ts";
import type { Envelope } from "../harness/server.ts";
import { type Chaos, pause } from "./instances_chaos.ts";

export interface Running {
  isOver: boolean;
}

/** Who waits for an instance that stands still goes elsewhere after so long. */
const PATIENCE = 4000;
const TRIES = 40;

/** Posts to an instance; undefined when no answer comes, whatever was done. */
async function ask(
  { servers }: Instances,
  index: number,
  token: string,
  path: string,
  request: object,
  headers: Record<string, string> = {},
): Promise<Envelope | undefined> {
  const answer = servers[index % servers.length]!.postWith(token, path, request, headers).catch(() => undefined);
  return await Promise.race([answer, pause(PATIENCE).then(() => undefined)]);
}

const random = (below: number) => Math.floor(Math.random() * below);

/** Writes through all instances. What has a key is asked again, elsewhere, until it is answered. */
export class WriteLoad {
  readonly #instances: Instances;
  readonly #token: string;
  readonly #running: Running;
  readonly #changes = new Set<string>();
  readonly #groups = new Set<string>();
  #asked = 0;
  #unknown = 0;
  #answeredAt = performance.now();
  #longestSilence = 0;

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
      const isDone = await this.#until(path, request, isKeyed ? { "idempotency-key": text } : {}, isKeyed ? TRIES : 1);
      if (!isDone) this.#unknown++;
      else (kind === 3 ? this.#groups : this.#changes).add(text);
    }
  }

  async #until(path: string, request: object, headers: Record<string, string>, tries: number): Promise<boolean> {
    for (let time = 0; time < tries; time++) {
      this.#asked++;
      const answer = await ask(this.#instances, random(64), this.#token, path, request, headers);
      if (answer?.code === 200) {
        this.#longestSilence = Math.max(this.#longestSilence, performance.now() - this.#answeredAt);
        this.#answeredAt = performance.now();
        return true;
      }
      // it may have been done, and nobody can tell
      if (answer?.code === 409) return false;
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
      asked: this.#asked,
      acknowledged: this.#changes.size + this.#groups.size,
      unknown: this.#unknown,
      longestSilence: Math.round(this.#longestSilence),
      lost: lost.length + lostGroups.length,
      duplicates: changes.length - new Set(changes).size + groups.length - new Set(groups).size,
    };
  }
}

const PATHS = ["change", "change", "reach"];

/** Turns keys off and looks how long the instances let their tokens in. */
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
    const key = (await ask(this.#instances, this.#chaos.wellOne(), this.#token, path, { adminId: 1 }))?.data;
    if (key?.uniqueId === undefined) return;
    const token = await servers[this.#chaos.wellOne()]!.token(key.uniqueId, key.secret).catch(() => undefined);
    if (token === undefined) return;
    const look = (index: number) => ask(this.#instances, index, token, "/ProbeService/look", { text: "nothing" });
    await Promise.all(servers.map((_, index) => look(index)));
    const off = { userAccessKeyId: key.userAccessKeyId, isOn: false };
    const done = await ask(this.#instances, this.#chaos.wellOne(), this.#token, OFF, off);
    if (done?.code !== 200) return;
    const ended = performance.now();
    this.#delays.push(...await Promise.all(servers.map((_, index) => this.#lastAccepted(ended, () => look(index)))));
  }

  /** When the last call was made that was let in, in milliseconds since the end of its key. */
  async #lastAccepted(ended: number, look: () => Promise<Envelope | undefined>): Promise<number> {
    let lastAccepted = 0;
    for (;;) {
      const asked = performance.now() - ended;
      const answer = await look();
      if (answer?.code === 200) lastAccepted = asked;
      if (answer?.code === 401 || asked > 3000) return lastAccepted;
      await pause(20);
    }
  }

  figures() {
    const sorted = this.#delays.toSorted((one, other) => one - other);
    return {
      measured: sorted.length,
      median: Math.round(sorted[sorted.length >> 1] ?? 0),
      max: Math.round(sorted.at(-1) ?? 0),
      late: sorted.filter((delay) => delay >= 1000).length,
    };
  }
}

const OFF = "/UserAccessKeyService/updateUserAccessKeyIsOn";

/** Sends commands to a node that is connected to one instance or another. */
export class CommandLoad {
  readonly #instances: Instances;
  readonly #token: string;
  readonly #running: Running;
  readonly #chaos: Chaos;
  readonly #codes: string[] = [];
  #sent = 0;
  #answered = 0;
  readonly #failed: Record<string, number> = {};

  constructor(instances: Instances, token: string, running: Running, chaos: Chaos) {
    this.#instances = instances;
    this.#token = token;
    this.#running = running;
    this.#chaos = chaos;
  }

  async run(): Promise<void> {
    const well = this.#instances.servers[this.#chaos.wellOne()]!;
    const made = await well.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.edge.test"] });
    const request = { name: "node", nodeClusterId: made.data.nsClusterId };
    const { nsNodeId } = (await well.post("/NSNodeService/createNSNode", request)).data;
    const { uniqueId, secret } = (await well.post("/NSNodeService/findNSNode", { nsNodeId })).data.nsNode;
    let node: ConnectedNode | undefined;
    while (!this.#running.isOver) {
      if (node === undefined || node.codes.includes("end")) {
        this.#codes.push(...node?.codes ?? []);
        node = new ConnectedNode(this.#instances.servers[this.#chaos.wellOne()]!, uniqueId, secret);
        await pause(1000);
      }
      await this.#send(nsNodeId);
    }
    node?.stop();
    this.#codes.push(...node?.codes ?? []);
  }

  async #send(nsNodeId: number): Promise<void> {
    const command = { nsNodeId, code: `command ${this.#sent++}`, timeoutSeconds: 2 };
    const answer = await ask(this.#instances, random(64), this.#token, "/NSNodeService/sendCommandToNSNode", command);
    const why = answer?.code === 200 ? answer.data.message : answer?.message ?? "no answer";
    if (answer?.data?.isOk === true) this.#answered++;
    else this.#failed[why] = (this.#failed[why] ?? 0) + 1;
    await pause(100);
  }

  figures() {
    const got = this.#codes.filter((code) => code.startsWith("command"));
    return { sent: this.#sent, answered: this.#answered, failed: this.#failed, twice: got.length - new Set(got).size };
  }
}
