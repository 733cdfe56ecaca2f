import type { ACMEProviderEntry } from "./proto/config_pb.ts";
import type { ACMEProviderInfo, ACMEProviders } from "./contract.ts";

const CODE = /^[a-z0-9][a-z0-9_-]{0,49}$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const BUILT_IN: readonly ACMEProviderInfo[] = [
  {
    code: "letsencrypt",
    name: "Let's Encrypt",
    description: "A non-profit certificate authority; certificates are free and last 90 days.",
    apiURL: "https://acme-v02.api.letsencrypt.org/directory",
    requireEAB: false,
    eabDescription: "",
    ca: "",
  },
  {
    code: "zerossl",
    name: "ZeroSSL",
    description: "A commercial certificate authority; certificates through ACME are free and last 90 days.",
    apiURL: "https://acme.zerossl.com/v2/DV90",
    requireEAB: true,
    eabDescription:
      "Create the key id and the key in the Developer section of your account at https://app.zerossl.com/.",
    ca: "",
  },
];

/**
 * Returns the built-in providers and those of the installation's configuration.
 *
 * @throws Error naming the invalid entry of the configuration
 */
export function acmeProviders(entries: readonly ACMEProviderEntry[]): ACMEProviders {
  const byCode = new Map(BUILT_IN.map((provider) => [provider.code, provider]));
  for (const [index, entry] of entries.entries()) {
    const at = `config.providers[${index}]`;
    if (!CODE.test(entry.code)) throw new Error(`${at}.code: must be lower-case letters, digits, _ and -`);
    if (byCode.has(entry.code)) throw new Error(`${at}.code: "${entry.code}" is taken`);
    if (!isDirectoryURL(entry.apiURL)) throw new Error(`${at}.apiURL: must be an https URL, got "${entry.apiURL}"`);
    if (entry.ca !== "" && !entry.ca.includes("-----BEGIN CERTIFICATE-----")) {
      throw new Error(`${at}.ca: must be certificates in PEM (-----BEGIN CERTIFICATE-----)`);
    }
    const { code, name, description, apiURL, requireEAB, eabDescription, ca } = entry;
    byCode.set(code, { code, name: name || code, description, apiURL, requireEAB, eabDescription, ca });
  }
  return { all: [...byCode.values()], find: (code) => byCode.get(code) };
}

function isDirectoryURL(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}
