import { type Call, invalid, ownerOf, textField } from "edgehelm";
import { containing } from "edgehelm/storage";
import { FAR_FUTURE, type TaskFilter } from "./store_lists.ts";

const DAY = 86_400n;
const MAX_DAYS = 36_500;

interface FilterRequest {
  readonly userId: bigint;
  readonly isAvailable: boolean;
  readonly isExpired: boolean;
  readonly expiringDays: number;
  readonly keyword: string;
  readonly userOnly: boolean;
}

/**
 * Returns the filter of a request. Without a user it selects the tasks of the installation, or with `userOnly` those of all
 * users.
 *
 * @param now in Unix seconds
 */
export function filterOf(call: Call, request: FilterRequest, now: bigint): TaskFilter {
  const { isAvailable, isExpired, expiringDays, keyword, userOnly } = request;
  if (expiringDays < 0 || expiringDays > MAX_DAYS) {
    throw invalid("expiringDays", `must be 0 to ${MAX_DAYS}, got ${expiringDays}`);
  }
  const userId = ownerOf(call, request.userId);
  const ends = [FAR_FUTURE];
  if (isExpired) ends.push(now - 1n);
  if (expiringDays > 0) ends.push(now + BigInt(expiringDays) * DAY);
  return {
    userId: userId !== 0n || !userOnly ? userId : undefined,
    pattern: containing(textField("keyword", keyword)),
    endFrom: isAvailable || expiringDays > 0 ? now : isExpired ? 1n : 0n,
    endTo: ends.reduce((earliest, end) => end < earliest ? end : earliest),
  };
}
