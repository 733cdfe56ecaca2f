import { type Client, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { APIAccessTokenService } from "../../api_access_token/proto/service_api_access_token_pb.ts";
import { NSDNSSECService } from "../../ns_dnssec/proto/service_ns_dnssec_pb.ts";
import { NSDomainService } from "../../ns_domain/proto/service_ns_domain_pb.ts";
import { NSKeyService } from "../../ns_key/proto/service_ns_key_pb.ts";
import { NSRecordHourlyStatService } from "../../ns_record_hourly_stat/proto/service_ns_record_hourly_stat_pb.ts";
import { NSNodeService } from "../proto/service_ns_node_pb.ts";
import { NSRecordService } from "../../ns_record/proto/service_ns_record_pb.ts";
import { NSRouteService } from "../../ns_route/proto/service_ns_route_pb.ts";
import { NSZoneService } from "../../ns_zone/proto/service_ns_zone_pb.ts";
import type { Settings } from "./settings.ts";

const TOKEN_HEADER = "x-cloud-access-token";
/** A token is renewed this long before its end. */
const MARGIN_MILLISECONDS = 60_000;
const CALL_MILLISECONDS = 30_000;
/** A server that was suspended, or a network that drops packets, ends the stream after these. */
const PINGS = { pingIntervalMs: 15_000, pingTimeoutMs: 10_000 };

/** The operations that an agent calls at one address of the API. */
export class Api implements Disposable {
  readonly nodes: Client<typeof NSNodeService>;
  readonly domains: Client<typeof NSDomainService>;
  readonly keys: Client<typeof NSKeyService>;
  readonly queries: Client<typeof NSRecordHourlyStatService>;
  readonly zones: Client<typeof NSZoneService>;
  readonly records: Client<typeof NSRecordService>;
  readonly routes: Client<typeof NSRouteService>;
  readonly dnssec: Client<typeof NSDNSSECService>;
  readonly #settings: Settings;
  readonly #tokens: Client<typeof APIAccessTokenService>;
  readonly #abort = new AbortController();
  #token = { text: "", until: 0 };

  constructor(settings: Settings, endpoint: string) {
    this.#settings = settings;
    const options = { baseUrl: endpoint, ...PINGS };
    const withToken: Interceptor = (next) => async (request) => {
      request.header.set(TOKEN_HEADER, await this.#validToken());
      return await next(request);
    };
    const plain = createGrpcTransport({
      ...options,
      defaultTimeoutMs: CALL_MILLISECONDS,
    });
    const calls = createGrpcTransport({
      ...options,
      interceptors: [withToken],
      defaultTimeoutMs: CALL_MILLISECONDS,
    });
    const streams = createGrpcTransport({
      ...options,
      interceptors: [withToken],
    });
    this.#tokens = createClient(APIAccessTokenService, plain);
    const unary = createClient(NSNodeService, calls);
    this.nodes = {
      ...unary,
      nsNodeStream: createClient(NSNodeService, streams).nsNodeStream,
    };
    this.domains = createClient(NSDomainService, calls);
    this.keys = createClient(NSKeyService, calls);
    this.queries = createClient(NSRecordHourlyStatService, calls);
    this.zones = createClient(NSZoneService, calls);
    this.records = createClient(NSRecordService, calls);
    this.routes = createClient(NSRouteService, calls);
    this.dnssec = createClient(NSDNSSECService, calls);
  }

  /** Aborts when this address is given up. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    this.#abort.abort();
  }

  async #validToken(): Promise<string> {
    if (Date.now() >= this.#token.until) {
      const { nodeId: accessKeyId, secret: accessKey } = this.#settings;
      const request = { type: "dns", accessKeyId, accessKey };
      const { token, expiresAt } = await this.#tokens.getAPIAccessToken(request, { signal: this.signal });
      this.#token = {
        text: token,
        until: Number(expiresAt) * 1000 - MARGIN_MILLISECONDS,
      };
    }
    return this.#token.text;
  }
}

/** Returns the first error of all addresses, or undefined if one accepts the node: the test of an installation. */
export async function connectionError(settings: Settings): Promise<string | undefined> {
  let first: string | undefined;
  for (const endpoint of settings.endpoints) {
    using api = new Api(settings, endpoint);
    try {
      await api.nodes.findCurrentNSNodeConfig({}, { signal: api.signal });
      return undefined;
    } catch (error) {
      first ??= `${endpoint}: ${ConnectError.from(error).message}`;
    }
  }
  return first;
}
