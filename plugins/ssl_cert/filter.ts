import { type Call, invalid, listField, ownerOf, textField } from "edgehelm";
import { containing } from "edgehelm/storage";
import type { CountSSLCertRequest } from "./proto/service_ssl_cert_pb.ts";
import { FAR_FUTURE, type Filter } from "./store_lists.ts";

const DAY = 86_400n;
const MAX_DAYS = 36_500;

/**
 * Returns the filter of a request. Without a user it selects the certificates of the installation, or with `userOnly` those
 * of all users.
 *
 * @param now in Unix seconds
 */
export function filterOf(
  call: Call,
  request: Omit<CountSSLCertRequest, "$typeName" | "$unknown">,
  now: bigint,
): Filter {
  const { isCA, isAvailable, isExpired, expiringDays, keyword, userOnly } = request;
  if (expiringDays < 0 || expiringDays > MAX_DAYS) {
    throw invalid("expiringDays", `must be 0 to ${MAX_DAYS}, got ${expiringDays}`);
  }
  const userId = ownerOf(call, request.userId);
  const ends = [FAR_FUTURE];
  if (isExpired) ends.push(now - 1n);
  if (expiringDays > 0) ends.push(now + BigInt(expiringDays) * DAY);
  return {
    userId: userId !== 0n || !userOnly ? userId : undefined,
    isCA,
    userOnly,
    pattern: containing(textField("keyword", keyword)),
    endFrom: isAvailable || expiringDays > 0 ? now : 0n,
    endTo: ends.reduce((earliest, end) => end < earliest ? end : earliest),
    beginTo: isAvailable ? now : FAR_FUTURE,
    names: listField("domains", request.domains, domainField).flatMap(coveringNames),
  };
}

function domainField(field: string, value: string): string {
  return textField(field, value, { min: 1 }).toLowerCase().replace(/\.$/, "");
}

/** Returns the certificate names that match a domain: the domain itself and the wildcard of its parent. */
function coveringNames(domain: string): string[] {
  const parent = domain.indexOf(".");
  return parent > 0 && !domain.startsWith("*.") ? [domain, `*${domain.slice(parent)}`] : [domain];
}
