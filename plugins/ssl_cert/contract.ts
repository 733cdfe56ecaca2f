import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";
import { defineReferrers, type OwnedRows, type Referrers } from "edgehelm/rows";

/** Gives other plugins access to certificates. */
export interface SSLCerts extends Pick<OwnedRows<unknown>, "take"> {
  /**
   * Returns the configurations of existing certificates, as nodes receive them: JSON objects by id. Users receive the
   * private keys of their own certificates only.
   */
  configs(call: Call, sslCertIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}
export const SSLCerts: Contract<SSLCerts> = defineContract("ssl_cert");

/** The extension point for plugins that use certificates. */
export const SSLCertUses: Uses = defineUses("ssl_cert");

/** The extension point for plugins whose objects refer to certificates. */
export const SSLCertReferrers: Referrers = defineReferrers("ssl_cert");

/** A listener for changed certificates, which nodes must fetch again. */
export interface SSLCertListener {
  /** Called after a certificate was renewed, changed, or turned on or off. */
  changed(call: Call, sslCertId: bigint): Promise<void>;
}
export const SSLCertListeners: ExtensionPoint<SSLCertListener> = defineExtensionPoint("ssl_cert.listeners");
