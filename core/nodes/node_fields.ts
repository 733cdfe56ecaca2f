import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { NetworkAddressSchema } from "../../proto/shapes/network_address_pb.ts";
import { type SSHLogin, SSHLoginSchema } from "../../proto/shapes/ssh_login_pb.ts";
import { invalid } from "../base/errors.ts";
import { choiceField, listField, textField } from "../fields/fields.ts";
import { jsonField, jsonListField } from "../protobuf/json/json_field.ts";
import { addressVersion, asciiHostName, portRangeField } from "../fields/network_fields.ts";
import { idOrNoneField, portField } from "../fields/number_fields.ts";

const REPORT_BYTES = 64 * 1024;
const MAX_ADDRESSES = 100;

/** What a node says of itself, as nodes of every kind send it. */
export interface NodeReport<Status> {
  readonly status: Status;
  /** The JSON to keep: all that came, with the server's time over what the node says, and some more members. */
  kept(more?: Readonly<Record<string, unknown>>): Uint8Array;
}

/**
 * Checks the JSON in which a node reports its status. Members that the shape does not name are kept.
 *
 * @param now unix seconds, the `updatedAt` of what is kept
 */
export function nodeReportField<Shape extends DescMessage>(
  field: string,
  bytes: Uint8Array,
  shape: Shape,
  now: bigint,
): NodeReport<MessageShape<Shape>> {
  if (bytes.length > REPORT_BYTES) throw invalid(field, `must have at most ${REPORT_BYTES} bytes, got ${bytes.length}`);
  const status = jsonField(field, bytes, shape);
  if (status === undefined) throw invalid(field, "must not be empty");
  return {
    status,
    kept(more) {
      const came = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
      return new TextEncoder().encode(JSON.stringify({ ...came, ...more, updatedAt: Number(now) }));
    },
  };
}

/** How to log in to a machine. */
export type NodeLogin = Pick<SSHLogin, "host" | "port" | "grantId"> & { readonly name: string; readonly type: "ssh" };

/** Checks a login of a node. Host, port and grant may be missing: installing tells which it needs. */
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

/** Checks a JSON list of addresses of API nodes; answers whether there are any. */
export function apiAddressesJSON(field: string, bytes: Uint8Array): boolean {
  const addresses = jsonListField(field, bytes, NetworkAddressSchema) ?? [];
  listField(field, addresses, (at, { protocol, host, portRange }) => {
    choiceField(`${at}.protocol`, protocol, ["http", "https"]);
    checkHost(`${at}.host`, host);
    portRangeField(`${at}.portRange`, portRange);
  }, { max: MAX_ADDRESSES });
  return addresses.length > 0;
}

/** Checks the path of a directory; empty means the default. */
export function directoryField(field: string, value: string): string {
  const path = textField(field, value);
  if (path === "" || (path.startsWith("/") && !/[\0\n]/.test(path) && !path.split("/").includes(".."))) return path;
  throw invalid(field, `must be an absolute path without .., got "${path.slice(0, 60)}"`);
}

function checkHost(field: string, host: string): void {
  if (addressVersion(host) !== undefined || asciiHostName(host) !== undefined) return;
  throw invalid(field, `must be a host name or an IP address, got "${host.slice(0, 60)}"`);
}
