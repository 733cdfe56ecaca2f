/** The keys of a domain and what its parent has, as the server returns them. */
export interface Signing {
  readonly status: "off" | "signed" | "rolling" | "disabling";
  readonly keys: readonly SigningKey[];
  readonly dsRecords: readonly string[];
  readonly publishDSAt: bigint;
  readonly parentStatus: "" | "none" | "present" | "missing" | "wrong";
  readonly parentCheckedAt: bigint;
  readonly disableAt: bigint;
  readonly nextZSKAt: bigint;
}

/** A public key of a domain. */
export interface SigningKey {
  readonly keyTag: number;
  readonly role: "KSK" | "ZSK";
  readonly algorithm: number;
  readonly dnskey: string;
  readonly activeAt: bigint;
  readonly retireAt: bigint;
  readonly removeAt: bigint;
}
