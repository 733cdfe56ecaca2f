import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";

/** Gives other plugins access to certificates. */
export interface SSLCerts {
  /** Refuses, with an error that names `field`, a certificate that does not exist or the caller may not use. */
  requireOwned(call: Call, field: string, sslCertId: bigint): Promise<void>;
  /** Returns the configurations of existing certificates with private keys, as nodes receive them: JSON objects by id. */
  configs(call: Call, sslCertIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}
export const SSLCerts: Contract<SSLCerts> = defineContract("ssl_cert");

/** The extension point for plugins that use certificates. */
export const SSLCertUses: Uses = defineUses("ssl_cert");

/** A listener for changed certificates, which nodes must fetch again. */
export interface SSLCertListener {
  /** Called after a certificate was renewed, changed, or turned on or off. */
  changed(call: Call, sslCertId: bigint): Promise<void>;
}
export const SSLCertListeners: ExtensionPoint<SSLCertListener> = defineExtensionPoint("ssl_cert.listeners");
