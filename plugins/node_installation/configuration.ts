import { invalid } from "edgehelm";
import { portRangeField } from "edgehelm/fields";
import { NetworkAddressSchema } from "edgehelm/proto/shapes/network_address_pb.js";
import { jsonListField } from "edgehelm/wire";

/** The settings with which a node can find the installation and to log in to it. */
export interface NodeConfiguration {
  readonly endpoints: readonly string[];
  readonly uniqueId: string;
  readonly secret: string;
}

/** Returns the text of api.yaml. JSON texts are valid in YAML, whatever they contain. */
export function apiYaml({ endpoints, uniqueId, secret }: NodeConfiguration): string {
  return `rpc.endpoints: ${JSON.stringify(endpoints)}
nodeId: ${JSON.stringify(uniqueId)}
secret: ${JSON.stringify(secret)}
`;
}

/** Returns the addresses in JSON as URLs without a path. */
export function endpointsOf(field: string, json: Uint8Array | null): string[] {
  const addresses = json === null ? [] : jsonListField(field, json, NetworkAddressSchema) ?? [];
  return addresses.map(({ protocol, host, portRange }) => {
    portRangeField(field, portRange);
    return `${protocol || "http"}://${host.includes(":") ? `[${host}]` : host}:${portRange.split("-")[0]}`;
  });
}

/** Checks an address of the API in the manifest. */
export function endpointField(field: string, text: string): string {
  const url = URL.parse(text);
  const isValid = url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.username === "";
  if (isValid) return url.origin;
  throw invalid(field, `must be an address such as https://api.example.com:8001, got "${text.slice(0, 60)}"`);
}

/** Returns the unit with which systemd runs a program: root is its directory. */
export function serviceUnit(program: string, root: string): string {
  // % begins a specifier, and spaces separate arguments
  const path = root.replaceAll("%", "%%");
  const word = path.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `[Unit]
Description=${program}
After=network-online.target
Wants=network-online.target

[Service]
WorkingDirectory=${path}/current
ExecStart="${word}/current/bin/${program}"
Restart=always
RestartSec=3
LimitNOFILE=1048576

[Install]
WantedBy=multi-user.target
`;
}
