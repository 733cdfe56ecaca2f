import { writeFileSync } from "node:fs";
import { join } from "node:path";

const USERS = 100;
const DOMAINS = 1000;
const RECORDS_PER_DOMAIN = 6;
/** Each has an origin and a reverse proxy of its own. */
const SITES = 966;

/** Writes the files of 10,000 objects, with the secrets of the users, to a folder. */
export function writeManyObjects(folder: string): void {
  const write = (name: string, objects: readonly string[], mode = 0o644) =>
    writeFileSync(join(folder, name), objects.join(""), { mode });
  write("NSCluster.yaml", ["- name: eu\n  hosts: [ns1.example.net, ns2.example.net]\n"]);
  write("NodeCluster.yaml", ["- name: edge\n"]);
  write("User.yaml", each(USERS, (index) => `- username: user${index}\n  password: { secret: user${index} }\n`));
  write("secrets.yaml", each(USERS, (index) => `user${index}: the long password of ${index}\n`), 0o600);
  write("NSDomain.yaml", each(DOMAINS, (index) => `- name: ${domain(index)}\n  nsCluster: eu\n`));
  write("NSRecord.yaml", each(DOMAINS * RECORDS_PER_DOMAIN, record));
  write(
    "Origin.yaml",
    each(SITES, (index) => {
      const host = `192.0.2.${index % 250 + 1}`;
      return `- label: origin ${index}\n  isOn: true\n  addr: { protocol: http, host: ${host}, portRange: "80" }\n`;
    }),
  );
  write(
    "ReverseProxy.yaml",
    each(SITES, (index) => `- label: proxy ${index}\n  primaryOrigins: [{ isOn: true, originId: origin ${index} }]\n`),
  );
  write("Server.yaml", each(SITES, site));
}

function record(index: number): string {
  const of = domain(Math.floor(index / RECORDS_PER_DOMAIN));
  return `- { nsDomain: ${of}, name: www${index % RECORDS_PER_DOMAIN}, type: A, value: 192.0.2.${index % 250 + 1}, ` +
    "ttl: 600, isOn: true, nsRoutes: [default] }\n";
}

function site(index: number): string {
  return `- name: site ${index}
  type: httpProxy
  nodeCluster: edge
  serverNames: [{ name: www.${domain(index)}, type: full }]
  http: { isOn: true, listen: [{ protocol: http, portRange: "80" }] }
  reverseProxy: { isOn: true, reverseProxyId: proxy ${index} }
`;
}

function domain(index: number): string {
  return `d${index}.example.com`;
}

function each(count: number, text: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => text(index));
}
