import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";
import type { SSLCertSchema } from "edgehelm/proto/models/ssl_cert_pb.js";
import { defineReferrers, type OwnedRows, type Referrers } from "edgehelm/rows";

/** A certificate, as ACME tasks contain it. */
export type NestedSSLCert = MessageInitShape<typeof SSLCertSchema> & {
  readonly id: bigint;
  readonly timeEndAt: bigint;
};

/** The columns that are read from a certificate instead of the request. */
export interface Derived {
  readonly timeBeginAt: bigint;
  readonly timeEndAt: bigint;
  /** A JSON array, like commonNames. */
  readonly dnsNames: string;
  readonly commonNames: string;
  readonly fingerprint: string;
}

/** The columns of a certificate that was checked, and its sealed key. */
export interface PreparedCert {
  readonly derived: Derived;
  readonly contents: { readonly certData: Uint8Array; readonly sealedKey: string };
}

/** A certificate that an ACME provider issued. */
export interface IssuedCert {
  readonly prepared: PreparedCert;
  /** The certificate to replace; 0 for none. */
  readonly sslCertId: bigint;
  readonly userId: bigint;
  readonly acmeTaskId: bigint;
}

/** Gives other plugins access to certificates. */
export interface SSLCerts extends Pick<OwnedRows<unknown>, "take"> {
  /**
   * Returns the configurations of existing certificates, as nodes receive them: JSON objects by id. Users receive the
   * private keys of their own certificates only.
   */
  configs(call: Call, sslCertIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
  /**
   * Checks a certificate with its chain and its private key, in PEM, before a transaction stores them.
   *
   * @throws RpcError invalid if they are malformed or do not match
   */
  prepare(certData: Uint8Array, keyData: Uint8Array): Promise<PreparedCert>;
  /**
   * Stores a certificate that an ACME provider issued. It takes the place of the one with the id if that still exists and
   * belongs to the same owner, and is a new one otherwise.
   *
   * @returns its id
   */
  putIssued(call: Call, issued: IssuedCert): Promise<bigint>;
  /** Turns a certificate off, for example because it is revoked. */
  turnOff(call: Call, sslCertId: bigint): Promise<void>;
  /** Returns existing certificates by id, for callers that may see the ACME tasks to which they belong. */
  issued(call: Call, sslCertIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NestedSSLCert>>;
  /** Returns a certificate with its chain in PEM, without its key. */
  certificateOf(call: Call, sslCertId: bigint): Promise<Uint8Array | undefined>;
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
