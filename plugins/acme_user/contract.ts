import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { ACMEUserSchema } from "edgehelm/proto/models/acme_user_pb.js";
import type { Nested } from "edgehelm/rows";

/** An ACME user, as other objects contain it. */
export type NestedACMEUser = MessageInitShape<typeof ACMEUserSchema> & { readonly id: bigint };

/** Gives other plugins access to ACME users. */
export interface ACMEUsers extends Nested<NestedACMEUser> {
  /** Refuses, with an error that names `field`, an ACME user that does not exist or belongs to another owner. */
  requireOf(call: Call, field: string, id: bigint, userId: bigint): Promise<void>;
  /** Returns the registration through which an ACME user orders; undefined if there is no such ACME user. */
  registrationOf(call: Call, id: bigint): Promise<bigint | undefined>;
}
export const ACMEUsers: Contract<ACMEUsers> = defineContract("acme_user");

/** The extension point for plugins that use ACME users. */
export const ACMEUserUses: Uses = defineUses("acme_user");
