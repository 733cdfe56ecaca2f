import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** What other plugins may ask of certificates. */
export interface SSLCerts {
  /** Refuses, naming `field`, unless the certificate exists and the caller may use it. */
  requireOwned(call: Call, field: string, sslCertId: bigint): Promise<void>;
  /** Configurations with private keys, as nodes get them: JSON objects by id. Those that do not exist are missing. */
  configs(call: Call, sslCertIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
}
export const SSLCerts: Contract<SSLCerts> = defineContract("ssl_cert");

/** Where plugins say what uses a certificate. */
export const SSLCertUses: ExtensionPoint<UseCheck> = defineExtensionPoint("ssl_cert.uses");

/** Hears of certificates that nodes must fetch again. */
export interface SSLCertListener {
  /** A certificate was renewed, or turned on or off. */
  changed(call: Call, sslCertId: bigint): Promise<void>;
}
export const SSLCertListeners: ExtensionPoint<SSLCertListener> = defineExtensionPoint("ssl_cert.listeners");
