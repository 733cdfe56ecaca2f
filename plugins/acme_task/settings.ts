import type { ACMETaskSettings } from "./proto/config_pb.ts";

const DEFAULT_DNS_SECONDS = 30;
const DEFAULT_MAX_ORDERS = 200;

/** @throws Error naming the setting that is out of its range */
export function taskSettings(
  { dnsSeconds = DEFAULT_DNS_SECONDS, maxOrders = DEFAULT_MAX_ORDERS }: ACMETaskSettings,
): { readonly dnsSeconds: bigint; readonly maxOrders: bigint } {
  if (dnsSeconds < 0 || dnsSeconds > 3600) throw new Error(`config.dnsSeconds: must be 0 to 3600, got ${dnsSeconds}`);
  if (maxOrders < 1 || maxOrders > 10_000) throw new Error(`config.maxOrders: must be 1 to 10000, got ${maxOrders}`);
  return { dnsSeconds: BigInt(dnsSeconds), maxOrders: BigInt(maxOrders) };
}
