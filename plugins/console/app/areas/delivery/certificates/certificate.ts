import { callPath } from "../../../shell/call.ts";
import { texts } from "./texts.ts";

/** A certificate as lists have it. */
export interface Certificate {
  readonly id: number | string;
  readonly isOn: boolean;
  readonly name: string;
  readonly isCA: boolean;
  readonly timeBeginAt: number | string;
  readonly timeEndAt: number | string;
  readonly dnsNames?: readonly string[];
  readonly commonNames?: readonly string[];
  readonly fingerprint: string;
}

/** The choice of certificates that are listed. */
export interface CertificateFilter {
  readonly keyword: string;
  readonly state: "all" | "expiring" | "expired";
  /** True for those of customers, false for those of the installation or of the customer who reads. */
  readonly isOfUsers: boolean;
}

export const SOON_DAYS = 30;

/** Returns a page of certificates and how many there are in all. */
export async function loadCertificates(
  { keyword, state, isOfUsers }: CertificateFilter,
  offset: number,
  size: number,
  signal?: AbortSignal,
): Promise<{ readonly certificates: readonly Certificate[]; readonly total: number }> {
  const filter = {
    keyword,
    ...(isOfUsers && { userOnly: true }),
    ...(state === "expired" && { isExpired: true }),
    ...(state === "expiring" && { expiringDays: SOON_DAYS }),
  };
  const [list, { count }] = await Promise.all([
    callPath("SSLCertService/listSSLCerts", { ...filter, offset: BigInt(offset), size: BigInt(size) }, signal),
    callPath("SSLCertService/countSSLCerts", filter, signal),
  ]);
  const text = new TextDecoder().decode(list["sslCertsJSON"] as Uint8Array);
  return { certificates: text === "" ? [] : JSON.parse(text), total: Number(count) };
}

/** The state of a certificate, with its word. */
export function stateOf(
  { isOn, timeBeginAt, timeEndAt }: Certificate,
  now = Date.now() / 1000,
): { readonly kind: "ok" | "warn" | "bad" | "idle"; readonly text: string } {
  const { value: text } = texts;
  if (Number(timeEndAt) <= now) return { kind: "bad", text: text.past };
  if (!isOn) return { kind: "idle", text: text.off };
  if (Number(timeBeginAt) > now) return { kind: "warn", text: text.early };
  if (Number(timeEndAt) - now < SOON_DAYS * 86_400) return { kind: "warn", text: text.soon };
  return { kind: "ok", text: text.valid };
}
