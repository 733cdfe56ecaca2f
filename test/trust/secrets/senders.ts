import {
  type DescMethodUnary,
  type DescService,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
} from "@bufbuild/protobuf";
import { readdirSync } from "node:fs";
import { isUnary } from "../../harness/outcome.ts";
import type { Server } from "../../harness/server.ts";
import type { Wire } from "../../harness/wire.ts";
import { SERVER_WIRES, type ServerWires } from "../server_wires.ts";
import type { Planting } from "./plantings.ts";

const PLUGINS = new URL("../../../plugins/", import.meta.url);
const LONG = "x".repeat(10_000);
const CONTENT_TYPES = { http: "application/json", connect: "application/json", grpcweb: "application/grpc-web+proto" };

/** The outcome of the calls with the secrets. */
export interface SendCounts {
  calls: number;
  succeeded: number;
  /** The names of plantings that no wire accepted, with the error. */
  readonly refused: Map<string, string>;
}

/** Returns the operations of all services by their path. */
export async function allMethods(): Promise<ReadonlyMap<string, DescMethodUnary>> {
  const methods = new Map<string, DescMethodUnary>();
  for (const path of readdirSync(PLUGINS, { recursive: true, encoding: "utf8" })) {
    if (!/\/service_\w+_pb\.ts$/.test(path)) continue;
    const services = Object.values(await import(new URL(path, PLUGINS).href)) as DescService[];
    for (const service of services.filter(({ kind }) => kind === "service")) {
      for (const method of service.methods) {
        if (isUnary(method)) methods.set(`${service.name}/${method.name}`.toLowerCase(), method);
      }
    }
  }
  return methods;
}

/** Sends requests with secrets over every wire: so that they succeed, and so that they fail in every way. */
export class SecretSender {
  readonly counts: SendCounts = { calls: 0, succeeded: 0, refused: new Map() };
  readonly #server: Server;
  readonly #wires: ServerWires;
  readonly #methods: ReadonlyMap<string, DescMethodUnary>;
  readonly #adminToken: string;
  readonly #nodeToken: string;

  constructor(
    server: Server,
    wires: ServerWires,
    methods: ReadonlyMap<string, DescMethodUnary>,
    tokens: { readonly admin: string; readonly node: string },
  ) {
    this.#server = server;
    this.#wires = wires;
    this.#methods = methods;
    this.#adminToken = tokens.admin;
    this.#nodeToken = tokens.node;
  }

  async send(planting: Planting): Promise<void> {
    const method = this.#methods.get(planting.path.toLowerCase());
    if (method === undefined) throw new Error(`no operation ${planting.path}`);
    // Some wires conflict with what an earlier one created, which is a way to fail.
    let error = "";
    let succeeded = 0;
    for (const wire of SERVER_WIRES) {
      const request = fromJson(method.input, planting.request as JsonValue);
      const { code, reason } = await this.#count(wire, this.#adminToken, method, request);
      if (code === 200) succeeded++;
      else error = `${code} ${reason}`;
      await this.#count(wire, undefined, method, request);
      await this.#count(wire, this.#nodeToken, method, request);
      await this.#count(wire, planting.core, method, request);
      const tooLong = { ...planting.request, ...longText(method) };
      await this.#count(wire, this.#adminToken, method, fromJson(method.input, tooLong as JsonValue));
      await this.#malformed(wire, planting, method);
    }
    this.counts.succeeded += succeeded;
    if (succeeded === 0 && planting.fails !== true) this.counts.refused.set(planting.name, error);
  }

  /** Sends a secret in places where no secret is expected. */
  async misplace(secret: string): Promise<void> {
    const path = `${this.#server.url}/NSDomainService/listNSDomains`;
    const headers = ["x-cloud-access-token", "x-edge-access-token", "authorization", "cookie", "x-request-id"];
    for (const name of [...headers, "idempotency-key", "user-agent", "referer"]) {
      await this.#post(path, "{}", { [name]: name === "authorization" ? `Bearer ${secret}` : `${secret} ${secret}` });
      await this.#wires.grpc.exchange("/pb.NSDomainService/listNSDomains", undefined, new Uint8Array(), {
        [name]: `${secret} ${secret}`,
      });
      this.counts.calls++;
    }
    for (const place of [`${path}?token=${secret}`, `${path}/${secret}`, `${this.#server.url}/${secret}`]) {
      await this.#post(place, "{}", {});
    }
  }

  async #count(wire: Wire, token: string | undefined, method: DescMethodUnary, request: Message) {
    this.counts.calls++;
    return await this.#wires.call(wire, token, method, request);
  }

  /** Sends messages that cannot be read. */
  async #malformed(wire: Wire, { path, request, core }: Planting, method: DescMethodUnary): Promise<void> {
    const rpcPath = `/${method.parent.typeName}/${method.name}`;
    const text = JSON.stringify(request);
    const [firstField] = method.input.fields;
    const texts = [
      text.slice(0, -1),
      text.replace(core, `${core}\\u12`),
      JSON.stringify({ ...request, [core]: core }),
      JSON.stringify({ [firstField!.name]: { [core]: [core] } }),
      JSON.stringify([core]),
      core,
    ];
    if (wire === "grpc") {
      const message = toBinary(method.input, fromJson(method.input, request as JsonValue));
      for (const bytes of [new TextEncoder().encode(core), message.subarray(0, -1)]) {
        await this.#wires.grpc.exchange(rpcPath, this.#adminToken, bytes);
        this.counts.calls++;
      }
      return;
    }
    const url = this.#server.url + (wire === "http" ? `/${path}` : rpcPath);
    const headers = { "x-cloud-access-token": this.#adminToken, "content-type": CONTENT_TYPES[wire] };
    for (const body of texts) await this.#post(url, body, headers);
    await this.#post(`${url}${core}`, text, headers);
  }

  async #post(url: string, body: string, headers: Record<string, string>): Promise<void> {
    this.counts.calls++;
    const response = await fetch(url, { method: "POST", body, headers });
    await response.arrayBuffer();
  }
}

/** A text that is longer than every limit, in a field that is no secret. */
function longText({ input }: DescMethodUnary): object {
  const field = input.fields.find(({ name }) => ["name", "username", "accessKeyId", "description"].includes(name));
  return field === undefined ? {} : { [field.name]: LONG };
}
