import type { Clock } from "edgehelm";
import type { NSDNSSECConfig } from "./proto/config_pb.ts";

/** The TTL that nodes give DNSKEY records, in seconds. */
const DNSKEY_TTL = 3600n;
const MILLISECONDS = 1000;
/** The longest interval between checks of a parent that does not have the right DS records. */
const MAX_EARLY_CHECK = 900n;

/** The times that changes of keys take, in seconds. */
export interface Waits {
  readonly zskLifetime: bigint;
  readonly propagation: bigint;
  /** After it every resolver knows keys that are published now. */
  readonly publish: bigint;
  /** After it no resolver has signatures of a key that stops signing now. */
  readonly forgetSignatures: bigint;
  /** After it no resolver has DS records that the parent had until now. */
  readonly forgetDS: bigint;
  readonly check: bigint;
  readonly earlyCheck: bigint;
}

export function waitsOf(config: NSDNSSECConfig): Waits {
  const propagation = config.propagationSeconds || 3600n;
  const check = config.checkSeconds || 21_600n;
  return {
    zskLifetime: config.zskLifetimeSeconds || 7_776_000n,
    propagation,
    publish: DNSKEY_TTL + propagation,
    forgetSignatures: (config.maxTTLSeconds || 604_800n) + propagation,
    forgetDS: (config.dsTTLSeconds || 172_800n) + propagation,
    check,
    earlyCheck: check < MAX_EARLY_CHECK ? check : MAX_EARLY_CHECK,
  };
}

/** Returns the current time in unix seconds. */
export function secondsOf(clock: Clock): bigint {
  return BigInt(Math.floor(clock.now() / MILLISECONDS));
}
