import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { choiceField, invalid, jsonField, listField, textField } from "edgehelm";
import { addressVersion, asciiHostName, idOrNoneField, portField, portRangeField } from "edgehelm/fields";
import { NetworkAddressSchema } from "edgehelm/proto/shapes/network_address_pb.js";
import { type SSHLogin, SSHLoginSchema } from "edgehelm/proto/shapes/ssh_login_pb.js";
import { jsonListField } from "edgehelm/wire";

const MAX_REPORT_BYTES = 64 * 1024;
const MAX_ADDRESSES = 100;

/** A status report of a node. */
export interface NodeReport<Status> {
  readonly status: Status;
  /**
   * Returns the JSON to store: the report with the server's time as `updatedAt`.
   *
   * @param more members to add
   */
  kept(more?: Readonly<Record<string, unknown>>): Uint8Array;
}

/**
 * Validates the JSON in which a node reports its status. Members that the shape does not define are preserved.
 *
 * @param field the name of the request field, for errors
 * @param bytes the JSON, up to 64 KiB
 * @param shape the message that describes the JSON
 * @param now the time to store as `updatedAt`, in unix seconds
 * @throws RpcError invalid if the JSON is empty, too large or does not match the shape, or a number is not finite
 *
 * @example
 * ```ts
 * const report = nodeReportField("statusJSON", statusJSON, NodeStatusSchema, unixSeconds(clock));
 * await store.setStatus.run(call, { id, status: report.kept() });
 * ```
 */
export function nodeReportField<Shape extends DescMessage>(
  field: string,
  bytes: Uint8Array,
  shape: Shape,
  now: bigint,
): NodeReport<MessageShape<Shape>> {
  if (bytes.length > MAX_REPORT_BYTES) {
    throw invalid(field, `must have at most ${MAX_REPORT_BYTES} bytes, got ${bytes.length}`);
  }
  const status = jsonField(field, bytes, shape);
  if (status === undefined) throw invalid(field, "must not be empty");
  for (const { name, localName } of shape.fields) {
    const value = (status as Record<string, unknown>)[localName];
    // Protocol Buffers has texts for NaN and Infinity in JSON, which no database stores as numbers.
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw invalid(`${field}.${name}`, `must be a finite number, got ${value}`);
    }
  }
  return {
    status,
    kept(more) {
      const reported = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
      return new TextEncoder().encode(JSON.stringify({ ...reported, ...more, updatedAt: Number(now) }));
    },
  };
}

/** The SSH login of a node's machine. */
export type NodeLogin = Pick<SSHLogin, "host" | "port" | "grantId"> & { readonly name: string; readonly type: "ssh" };

/**
 * Validates the login of a node. Host, port and grant may be missing, since only an installation needs them.
 *
 * @param field the name of the request field, for errors
 * @param login the login, whose `params` is the JSON of an SSHLogin
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * const login = nodeLoginField("nodeLogin", nodeLogin);
 * ```
 */
export function nodeLoginField(
  field: string,
  { name, type, params }: { readonly name: string; readonly type: string; readonly params: Uint8Array },
): NodeLogin {
  choiceField(`${field}.type`, type || "ssh", ["ssh"]);
  const { host = "", port = 0, grantId = 0n } = jsonField(`${field}.params`, params, SSHLoginSchema) ?? {};
  if (host !== "") checkHost(`${field}.params.host`, host);
  return {
    name: textField(`${field}.name`, name),
    type: "ssh",
    host,
    port: portField(`${field}.params.port`, port, { orZero: true }),
    grantId: idOrNoneField(`${field}.params.grantId`, grantId),
  };
}

/**
 * Validates a JSON array of API node addresses, up to 100.
 *
 * @param field the name of the request field, for errors
 * @param bytes the JSON; empty bytes are an empty array
 * @returns true if there is at least one address
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * const hasAddresses = apiAddressesJSON("apiNodeAddrsJSON", request.apiNodeAddrsJSON);
 * ```
 */
export function apiAddressesJSON(field: string, bytes: Uint8Array): boolean {
  const addresses = jsonListField(field, bytes, NetworkAddressSchema) ?? [];
  listField(field, addresses, (at, { protocol, host, portRange }) => {
    choiceField(`${at}.protocol`, protocol, ["http", "https"]);
    checkHost(`${at}.host`, host);
    portRangeField(`${at}.portRange`, portRange);
  }, { max: MAX_ADDRESSES });
  return addresses.length > 0;
}

function checkHost(field: string, host: string): void {
  if (addressVersion(host) !== undefined || asciiHostName(host) !== undefined) return;
  throw invalid(field, `must be a host name or an IP address, got "${host.slice(0, 60)}"`);
}
