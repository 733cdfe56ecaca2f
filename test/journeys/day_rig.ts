import type { JsonObject } from "@bufbuild/protobuf";
import type { Plugin } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { firstParty } from "../matrix/plugins.ts";

/** The error of an operation. */
export interface OperationError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** An access token. */
interface Token {
  readonly token: string | undefined;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** An HTTP client, which uses only paths, JSON and an access token. */
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

  /** Returns the access token, or a new one if it has expired. */
  async token(): Promise<string | undefined> {
    if (this.#token === undefined || this.#token.expiresAt <= this.#now()) this.#token = await this.#fetchToken();
    return this.#token.token;
  }

  /** Returns the data of a call that must succeed. */
  // deno-lint-ignore no-explicit-any -- each operation has its own shape of data
  async post(path: string, body: unknown = {}): Promise<any> {
    const { code, message, data } = await this.#send(path, body);
    if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
    return data;
  }

  /** Returns the error of a call that must fail. */
  async error(path: string, body: unknown = {}): Promise<OperationError> {
    const { code, reason, message } = await this.#send(path, body);
    if (code === 200) throw new Error(`${path} did not fail`);
    return { code, reason, message };
  }

  async #send(path: string, body: unknown) {
    const token = await this.token();
    const headers: Record<string, string> = token === undefined ? {} : { "x-cloud-access-token": token };
    const request = { method: "POST", body: JSON.stringify(body), headers };
    return await (await this.#edgehelm.fetch(new Request(`http://edgehelm.test/${path}`, request))).json();
  }
}

/** An installation with all plugins, and the clients that use it. */
export interface Day extends AsyncDisposable {
  readonly edgehelm: TestKernel;
  readonly clock: TestClock;
  readonly admin: Client;
  /** Exchanges an access key for a token, as nodes and integrations do. */
  login(type: string, accessKeyId: string, accessKey: string): Promise<Client>;
  /** Creates a user with an access key, and logs in with it. */
  user(username: string): Promise<Client & { readonly id: number }>;
  /** Creates an edge node, and logs in with its secret. */
  edgeNode(name: string, nodeClusterId: number, overrides?: object): Promise<EdgeNode>;
  /** Runs a job now. */
  job(name: string): Promise<void>;
}

/** The client of an edge node. */
export interface EdgeNode extends Client {
  readonly id: number;
  /** Returns the complete configuration. */
  // deno-lint-ignore no-explicit-any -- the parts come from many plugins
  config(): Promise<any>;
  /** Fetches the configuration if it changed since the last poll. Returns whether it did. */
  pollConfig(): Promise<boolean>;
}

/** Opens an installation with all plugins. */
export async function openDay(
  { at = Date.UTC(2026, 4, 20, 9), plugins = [], hosts = {}, config = {} }: {
    readonly at?: number;
    /** Further plugins, such as those that messages will come from. */
    readonly plugins?: readonly Plugin[];
    /** The host modules by plugin. */
    readonly hosts?: Readonly<Record<string, object>>;
    readonly config?: Record<string, JsonObject>;
  } = {},
): Promise<Day> {
  const clock = new TestClock(at);
  const edgehelm = await testKernel({
    plugins: [...firstParty, ...plugins],
    clock,
    config: { ns_node: { taskPollMilliseconds: 5 }, ...config },
    hosts,
  });
  const now = () => clock.now() / 1000;
  const client = (fetchToken: () => Promise<Token>) => new Client(edgehelm, now, fetchToken);
  const anonymous = client(async () => ({ token: undefined, expiresAt: Infinity }));
  const admin = client(async () => ({ token: await edgehelm.token(as.admin()), expiresAt: now() + 7000 }));
  const login = async (type: string, accessKeyId: string, accessKey: string) => {
    const request = { type, accessKeyId, accessKey };
    const loggedIn = client(() => anonymous.post("APIAccessTokenService/getAPIAccessToken", request));
    await loggedIn.token();
    return loggedIn;
  };
  return {
    edgehelm,
    clock,
    admin,
    login,
    async user(username) {
      const person = { username, password: `${username} walks in the rain`, fullname: username };
      const { userId } = await admin.post("UserService/createUser", person);
      const { uniqueId, secret } = await admin.post("UserAccessKeyService/createUserAccessKey", { userId });
      return Object.assign(await login("user", uniqueId, secret), { id: userId as number });
    },
    async edgeNode(name, nodeClusterId, overrides = {}) {
      const { nodeId } = await admin.post("NodeService/createNode", { name, nodeClusterId, ...overrides });
      const { node } = await admin.post("NodeService/findEnabledNode", { nodeId });
      const client = await login("node", node.uniqueId, node.secret);
      const fetch = (version: number) => client.post("NodeService/findCurrentNodeConfig", { version });
      let version = 0;
      return Object.assign(client, {
        id: nodeId as number,
        config: async () => json((await fetch(0)).nodeJSON),
        async pollConfig() {
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

/** Decodes a bytes field that contains JSON. */
// deno-lint-ignore no-explicit-any -- each field has its own shape
export function json(base64: string): any {
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))));
}
