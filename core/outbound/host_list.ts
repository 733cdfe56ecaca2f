import { invalid } from "../base/errors.ts";
import { addressField, addressVersion, asciiHostName } from "../fields/network_fields.ts";

const WILDCARD = "*.";

/** A list of hosts: names, addresses, and names below a name, such as `*.example.com`. */
export class HostList {
  readonly #names = new Set<string>();
  readonly #suffixes: string[] = [];

  /** @throws RpcError invalid, which names the entry */
  constructor(field: string, entries: readonly string[]) {
    for (const [index, entry] of entries.entries()) {
      const isWildcard = entry.startsWith(WILDCARD);
      const name = isWildcard ? asciiHostName(entry.slice(WILDCARD.length)) : asciiHost(entry);
      if (name === undefined) {
        const expected = "must be a host such as pay.example.com or *.example.com";
        throw invalid(`${field}[${index}]`, `${expected}, got "${entry.slice(0, 60)}"`);
      }
      if (isWildcard) this.#suffixes.push(`.${name}`);
      else this.#names.add(name);
    }
  }

  get isEmpty(): boolean {
    return this.#names.size === 0 && this.#suffixes.length === 0;
  }

  /** @param host as {@link asciiHost} returns it */
  includes(host: string): boolean {
    return this.#names.has(host) || this.#suffixes.some((suffix) => host.endsWith(suffix));
  }
}

/** Returns a host name in lower-case ASCII, an address in its canonical form, or undefined for anything else. */
export function asciiHost(text: string): string | undefined {
  return addressVersion(text) === undefined ? asciiHostName(text) : addressField("host", text);
}
