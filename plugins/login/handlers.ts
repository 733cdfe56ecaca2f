import { type Call, choiceField, type Handlers, invalid, jsonBytes, jsonField } from "edgehelm";
import type { AccessTokens } from "edgehelm/auth";
import { OTPLoginSchema } from "edgehelm/proto/shapes/otp_login_pb.js";
import type { FactorOwner, FactorOwners } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Factors } from "./factors.ts";
import type { LoginService } from "./proto/service_login_pb.ts";

export interface Deps {
  readonly factors: Factors;
  readonly owners: readonly FactorOwners[];
  readonly tokens: AccessTokens;
}

const TYPES = ["otp"] as const;
/** Base32 of 10 to 80 bytes. */
const SECRET = /^[A-Z2-7]{16,128}$/;

/** Handles the operations of consoles that check codes themselves. */
export function loginHandlers({ factors, owners, tokens }: Deps): Handlers<typeof LoginService> {
  return {
    async findEnabledLogin({ adminId, userId, type }, call) {
      choiceField("type", type, TYPES);
      const row = await factors.find(call, ownerOf({ adminId, userId }));
      if (row === undefined) return {};
      // A transaction without changes: its audit record says who read the secret.
      await call.transact(() => Promise.resolve());
      const paramsJSON = jsonBytes(OTPLoginSchema, { secret: await factors.secretOf(row) });
      return { login: { id: row.id, type: "otp", paramsJSON, isOn: row.isOn === 1n, adminId, userId } };
    },

    async updateLogin({ login }, call) {
      if (login === undefined) throw invalid("login", "must be set");
      choiceField("login.type", login.type, TYPES);
      const owner = ownerOf(login);
      await requireOwner(call, owner);
      const secret = secretField(jsonField("login.paramsJSON", login.paramsJSON, OTPLoginSchema)?.secret ?? "");
      if (await factors.save(call, owner, { secret, isOn: login.isOn })) await tokens.end(call, owner);
      return {};
    },
  };

  async function requireOwner(call: Call, { role, subjectId }: FactorOwner): Promise<void> {
    const people = owners.find((candidate) => candidate.role === role);
    if (people !== undefined && !await people.exists(call, subjectId)) {
      throw errors.owner_missing(role === "admin" ? "login.adminId" : "login.userId", subjectId);
    }
  }
}

function ownerOf({ adminId, userId }: { readonly adminId: bigint; readonly userId: bigint }): FactorOwner {
  if (adminId > 0n && userId === 0n) return { role: "admin", subjectId: adminId };
  if (userId > 0n && adminId === 0n) return { role: "user", subjectId: userId };
  throw errors.no_owner();
}

function secretField(secret: string): string {
  if (secret === "" || SECRET.test(secret)) return secret;
  throw invalid("login.paramsJSON.secret", `must be 16 to 128 characters of base32, got ${secret.length} characters`);
}
