import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { firstParty } from "../matrix/plugins.ts";

/** What an operation refused with. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** An access token, and until when it is good. */
interface Token {
  readonly token: string | undefined;
  readonly expiresAt: number;
}

/** Somebody who calls by HTTP, as any client would: nothing but paths, JSON and an access token. */
export class Client {
  readonly #edgehelm: TestKernel;
  readonly #now: () => number;
  readonly #fetchToken: () => Promise<Token>;
  #token: Token | undefined;

  constructor(edgehelm: TestKernel, now: () => number, fetchToken: () => Promise<Token>) {
    this.#edgehelm = edgehelm;
    this.#now = now;
    this.#fetchToken = fetchToken;
  }

  /** The token it has, or a new one when that is too old. */
  async token(): Promise<string | undefined> {
    if (this.#token === undefined || this.#token.expiresAt <= this.#now()) this.#token = await this.#fetchToken();
    return this.#token.token;
  }

  /** The data of a call that must succeed. */
  // deno-lint-ignore no-explicit-any -- each operation has data of its own shape
  async post(path: string, body: unknown = {}): Promise<any> {
    const { code, message, data } = await this.#send(path, body);
    if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
    return data;
  }

  /** How a call that must fail was refused. */
  async refused(path: string, body: unknown = {}): Promise<Refusal> {
    const { code, reason, message } = await this.#send(path, body);
    if (code === 200) throw new Error(`${path} was not refused`);
    return { code, reason, message };
  }

  async #send(path: string, body: unknown) {
    const token = await this.token();
    const headers: Record<string, string> = token === undefined ? {} : { "x-cloud-access-token": token };
    const request = { method: "POST", body: JSON.stringify(body), headers };
    return await (await this.#edgehelm.fetch(new Request(`http://edgehelm.test/${path}`, request))).json();
  }
}

/** The whole installation on one day. */
export interface Day extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly admin: Client;
  /** Fetches an access token, as a machine or an integration does. */
  enter(type: string, accessKeyId: string, accessKey: string): Promise<Client>;
  /** Registers a user and enters as them, with an access key of theirs. */
  user(username: string): Promise<Client & { readonly id: number }>;
  /** Registers an edge node and enters as it, with the secret of its configuration file. */
  edgeNode(name: string, nodeClusterId: number, more?: object): Promise<EdgeNode>;
  job(name: string): Promise<void>;
}

/** An edge node, and what it was told last. */
export interface EdgeNode extends Client {
  readonly id: number;
  /** Everything that it must know. */
  // deno-lint-ignore no-explicit-any -- the parts come from many plugins
  config(): Promise<any>;
  /** Fetches its configuration as often as it asks, and says whether there was something new. */
  hasNews(): Promise<boolean>;
}

/** Every plugin of the project, set up as an operator would. */
export async function openDay(
  { at = Date.UTC(2026, 4, 20, 9), hosts = {}, config = {} }: {
    readonly at?: number;
    /** What host modules offer, by plugin. */
    readonly hosts?: Readonly<Record<string, object>>;
    readonly config?: Record<string, Record<string, number | string | boolean>>;
  } = {},
): Promise<Day> {
  const clock = new TestClock(at);
  const edgehelm = await testKernel({
    plugins: firstParty,
    clock,
    config: { ns_node: { taskPollMilliseconds: 5 }, ...config },
    hosts,
  });
  const now = () => clock.now() / 1000;
  const client = (fetchToken: () => Promise<Token>) => new Client(edgehelm, now, fetchToken);
  const nobody = client(async () => ({ token: undefined, expiresAt: Infinity }));
  const admin = client(async () => ({ token: await edgehelm.token(as.admin()), expiresAt: now() + 7000 }));
  const enter = async (type: string, accessKeyId: string, accessKey: string) => {
    const request = { type, accessKeyId, accessKey };
    const entering = client(() => nobody.post("APIAccessTokenService/getAPIAccessToken", request));
    await entering.token();
    return entering;
  };
  return {
    edgehelm,
    clock,
    admin,
    enter,
    async user(username) {
      const person = { username, password: `${username} walks in the rain`, fullname: username };
      const { userId } = await admin.post("UserService/createUser", person);
      const { uniqueId, secret } = await admin.post("UserAccessKeyService/createUserAccessKey", { userId });
      return Object.assign(await enter("user", uniqueId, secret), { id: userId as number });
    },
    async edgeNode(name, nodeClusterId, more = {}) {
      const { nodeId } = await admin.post("NodeService/createNode", { name, nodeClusterId, ...more });
      const { node } = await admin.post("NodeService/findEnabledNode", { nodeId });
      const client = await enter("node", node.uniqueId, node.secret);
      const fetch = (version: number) => client.post("NodeService/findCurrentNodeConfig", { version });
      let version = 0;
      return Object.assign(client, {
        id: nodeId as number,
        config: async () => json((await fetch(0)).nodeJSON),
        async hasNews() {
          const { isChanged, nodeJSON } = await fetch(version);
          if (isChanged) ({ version } = json(nodeJSON));
          return isChanged as boolean;
        },
      });
    },
    job: (name) => edgehelm.kernel.runJob(name),
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

/** What a bytes field says whose content is JSON. */
// deno-lint-ignore no-explicit-any -- each field has a shape of its own
export function json(base64: string): any {
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))));
}
