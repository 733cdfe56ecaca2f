import type { Call } from "edgehelm";
import type { UserQuota, UserQuotas } from "../user_quota/contract.ts";
import type { FileStore } from "./store.ts";

/** The quota of files of one user. */
export const FILES: UserQuota = { name: "files", max: 1_000n };
/** The quota of the declared sizes of all files of one user: 10 GiB. */
export const FILE_BYTES: UserQuota = { name: "fileBytes", max: 10n * 2n ** 30n };

/** Refuses a new file of the size if it exceeds a quota of the user. */
export async function requireFileQuotas(
  quotas: UserQuotas | undefined,
  call: Call,
  files: FileStore,
  { userId, size }: { readonly userId: bigint; readonly size: bigint },
): Promise<void> {
  await quotas?.require(call, FILES, userId, 1, async () => (await files.totalOfUser.one(call, { userId })).count);
  await quotas?.require(
    call,
    FILE_BYTES,
    userId,
    size,
    async () => (await files.totalOfUser.one(call, { userId })).bytes,
  );
}
