import { expect } from "vitest";
import { type Envelope, KEY } from "../harness/server.ts";

const LOGIN = { type: "admin", accessKeyId: KEY.id, accessKey: KEY.secret };

/** Sends a body unchanged, and neither a body nor a content type if they are omitted. */
export async function post(url: string, headers: Record<string, string>, body?: string): Promise<Response> {
  const bytes = body === undefined ? null : new TextEncoder().encode(body);
  return await fetch(url, { method: "POST", headers, body: bytes });
}

/** A client as it exists in the field, with its own header name and spelling of methods. */
export class KnownClient {
  readonly #url: string;
  readonly #header: string;
  readonly #spell: (method: string) => string;
  token = "";

  constructor(url: string, header: string, spell: (method: string) => string = (method) => method) {
    this.#url = url;
    this.#header = header;
    this.#spell = spell;
  }

  async login(login: object = LOGIN): Promise<this> {
    const { data } = await this.raw("APIAccessTokenService/getAPIAccessToken", JSON.stringify(login));
    this.token = data.token;
    expect(data.expiresAt - Date.now() / 1000).toBeGreaterThan(7100);
    return this;
  }

  /** Posts a call and expects HTTP status 200, since these clients ignore the body of any other status. */
  async raw(path: string, body?: string): Promise<Envelope> {
    const [service, method] = path.split("/") as [string, string];
    const response = await post(`${this.#url}/${service}/${this.#spell(method)}`, { [this.#header]: this.token }, body);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    return await response.json();
  }

  /** Returns the data of a call that must succeed. Some clients check the code, others the message. */
  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async data(path: string, request?: unknown): Promise<any> {
    const envelope = await this.raw(path, request === undefined ? undefined : JSON.stringify(request));
    expect({ path, code: envelope.code, message: envelope.message }).toEqual({ path, code: 200, message: "ok" });
    return envelope.data;
  }
}
