import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import admin from "../../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../../plugins/admin/proto/service_admin_pb.ts";
import tokens from "../../../../plugins/api_access_token/plugin.ts";
import console from "../../../../plugins/console/plugin.ts";
import login from "../../../../plugins/login/plugin.ts";
import user from "../../../../plugins/user/plugin.ts";
import { UserService } from "../../../../plugins/user/proto/service_user_pb.ts";
import keys from "../../../../plugins/user_access_key/plugin.ts";

export const root = as.admin();
export const PASSWORD = "correct horse battery";
export const clock = new TestClock();
export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(config: Record<string, object> = {}): void {
  beforeAll(async () => {
    edgehelm = await testKernel({
      plugins: [admin, console, keys, login, tokens, user],
      clock,
      config: config as never,
    });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

let people = 0;

/** Creates a user who has a password. */
export async function newUser(): Promise<{ userId: bigint; username: string }> {
  const username = `user${++people}`;
  const request = { username, password: PASSWORD, fullname: "A User", email: `${username}@example.com` };
  return { ...await edgehelm.call(root, UserService.method.createUser, request), username };
}

/** Creates an admin who has a password. */
export async function newAdmin(): Promise<{ adminId: bigint; username: string }> {
  const username = `admin${++people}`;
  const request = { username, password: PASSWORD, fullname: "An Admin", canLogin: true };
  return { ...await edgehelm.call(root, AdminService.method.createAdmin, request), username };
}

/** The envelope of a response, and the cookie that it sets. */
export interface Asked {
  readonly code: number;
  readonly data: Record<string, unknown>;
  readonly message: string;
  readonly reason?: string;
  readonly setCookie: string;
}

/** Sends a request as a page of the console does. */
export async function ask(name: string, fields: object, headers: Record<string, string> = {}): Promise<Asked> {
  const response = await edgehelm.fetch(
    new Request(`http://localhost/console/session/${name}`, {
      method: "POST",
      headers: { "x-edgehelm-console": "1", "user-agent": "Browser 1", ...headers },
      body: JSON.stringify(fields),
    }),
  );
  return { ...await response.json(), setCookie: response.headers.get("set-cookie") ?? "" };
}

/** Returns the header with the cookie that a response set. */
export function cookieOf({ setCookie }: Asked): { readonly cookie: string } {
  return { cookie: setCookie.split(";", 1)[0]! };
}

/** Signs in with a password. */
export function signIn(type: "admin" | "user", username: string, password = PASSWORD): Promise<Asked> {
  return ask("sign_in", { type, username, password });
}

/** Returns the code of a call with a token: 200 while the token is valid. */
export async function codeWith(asked: Asked): Promise<number> {
  const { type, id, token } = asked.data;
  const [path, body] = type === "admin"
    ? ["/AdminService/findEnabledAdmin", { adminId: id }]
    : ["/UserService/findEnabledUser", { userId: id }];
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "x-cloud-access-token": String(token) },
    body: JSON.stringify(body),
  });
  return (await (await edgehelm.fetch(request)).json()).code;
}
