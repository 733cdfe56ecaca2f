import { invalid } from "edgehelm";
import { type AddressRange, addressRangeField, addressVersion, internalAddress, isInRange } from "edgehelm/fields";

const MAX_URL = 1000;
/** The top-level labels of names that only a machine or its local network can resolve. */
const INTERNAL_NAME = /^[^.]+$|\.(localhost|localdomain|local|internal)$/;

/** Checks the addresses to which refunds are sent. */
export class RefundAddresses {
  readonly #allowed: readonly AddressRange[];

  constructor(allowedRanges: readonly string[]) {
    this.#allowed = allowedRanges.map((range, index) => addressRangeField(`allowedRanges[${index}]`, range));
  }

  /** Refuses, with an error that names `field`, an address to which refunds may not be sent. */
  require(field: string, text: string): void {
    const url = text.length > MAX_URL ? null : URL.parse(text);
    const given = `got "${text.slice(0, 60)}"`;
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
      throw invalid(field, `must be an address such as https://pay.example.com/refunds without a password, ${given}`);
    }
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
    if (addressVersion(host) !== undefined && this.#allowed.some((range) => isInRange(range, host))) return;
    if (url.protocol !== "https:") throw invalid(field, `must begin with https://, ${given}`);
    const isInternal = addressVersion(host) === undefined
      ? INTERNAL_NAME.test(host)
      : internalAddress(host) !== undefined;
    if (isInternal) throw invalid(field, `must be an address of the public internet or in allowedRanges, ${given}`);
  }
}
