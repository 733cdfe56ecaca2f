import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import type { DomainResolver } from "../../plugins/ns_domain/resolver.ts";
import { firstParty } from "../matrix/plugins.ts";

/** What an operation refused with. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** Somebody who calls by HTTP, as any client would: nothing but paths, JSON and an access token. */
export class Client {
  readonly #edgehelm: TestKernel;
  readonly token: string | undefined;

  constructor(edgehelm: TestKernel, token: string | undefined) {
    this.#edgehelm = edgehelm;
    this.token = token;
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
    const headers: Record<string, string> = this.token === undefined ? {} : { "x-cloud-access-token": this.token };
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
  job(name: string): Promise<void>;
}

/** Every plugin of the project, set up as an operator would. */
export async function openDay(
  { at = Date.UTC(2026, 4, 20, 9), resolver, config = {} }: {
    readonly at?: number;
    readonly resolver?: DomainResolver;
    readonly config?: Record<string, Record<string, number | string | boolean>>;
  } = {},
): Promise<Day> {
  const clock = new TestClock(at);
  const edgehelm = await testKernel({
    plugins: firstParty,
    clock,
    config: { ns_node: { taskPollMilliseconds: 5 }, ...config },
    ...(resolver && { hosts: { ns_domain: resolver } }),
  });
  const nobody = new Client(edgehelm, undefined);
  const admin = new Client(edgehelm, await edgehelm.token(as.admin()));
  const enter = async (type: string, accessKeyId: string, accessKey: string) => {
    const request = { type, accessKeyId, accessKey };
    return new Client(edgehelm, (await nobody.post("APIAccessTokenService/getAPIAccessToken", request)).token);
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
    job: (name) => edgehelm.kernel.runJob(name),
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

/** What a bytes field says whose content is JSON. */
// deno-lint-ignore no-explicit-any -- each field has a shape of its own
export function json(base64: string): any {
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))));
}
