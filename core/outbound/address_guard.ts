import { invalid } from "../base/errors.ts";
import { type AddressRange, isInRange } from "../fields/address_ranges.ts";
import { embeddedIn, internalAddress } from "../fields/internal_addresses.ts";
import { addressVersion } from "../fields/network_fields.ts";

/** Decides which resolved addresses may be connected to: those of the public internet, and those in allowed ranges. */
export class AddressGuard {
  readonly #allowed: readonly AddressRange[];

  constructor(allowed: readonly AddressRange[]) {
    this.#allowed = allowed;
  }

  /**
   * Checks all addresses of a host. One that is refused refuses the host: a name with public and internal addresses is
   * an attempt to get past the guard, or an error in its zone.
   *
   * @throws RpcError invalid; the message has the kind of the address, which is enough to correct a setting, but not
   *   the address, which a caller may not know
   */
  require(field: string, host: string, addresses: readonly string[]): void {
    for (const address of addresses) {
      const kind = this.#refusal(address);
      if (kind !== undefined) throw invalid(field, `"${host}" has ${kind}, which outbound.allow does not contain`);
    }
  }

  #refusal(address: string): string | undefined {
    const version = addressVersion(address);
    // such as one with a zone, fe80::1%eth0
    if (version === undefined) return "an address of a link";
    const embedded = version === 6 ? embeddedIn(address) : undefined;
    const forms = embedded === undefined ? [address] : [address, embedded];
    const isAllowed = forms.some((form) => this.#allowed.some((range) => isInRange(range, form)));
    return isAllowed ? undefined : internalAddress(address);
  }
}
