import { type Handlers, ownerOf, textField } from "edgehelm";
import type { UserProofs } from "../user/contract.ts";
import type { UserEmailVerificationService } from "./proto/service_user_email_verification_pb.ts";
import type { VerificationStore } from "./store.ts";
import type { Verifications } from "./verifications.ts";

const MESSAGES = {
  wrong_code: "the code is wrong, was used or replaced, or has expired",
  taken: "another user has verified this address",
} as const;

export function verificationHandlers(
  store: VerificationStore,
  verifications: Verifications,
  proofs: UserProofs,
): Handlers<typeof UserEmailVerificationService> {
  return {
    async verifyUserEmail(request, call) {
      const code = textField("code", request.code, { min: 1, max: 64 });
      const result = await verifications.verify(call, ownerOf(call, 0n), code);
      if (typeof result === "string") return { errorCode: result, errorMessage: MESSAGES[result] };
      return { userId: result.userId, email: result.email };
    },

    async sendUserEmailVerification(request, call) {
      const email = proofs.emailField("email", request.email);
      const userId = ownerOf(call, 0n);
      await proofs.requireRecentLogin(call, userId, "password", request.password);
      await verifications.send(call, userId, email);
      return {};
    },

    async findLatestUserEmailVerification(_request, call) {
      const row = await store.latest.first(call, { userId: ownerOf(call, 0n) });
      if (row === undefined) return {};
      const { id, email, userId, createdAt, isSent, verifiedAt, expiresAt } = row;
      const userEmailVerification = {
        ...{ id, email, userId, createdAt, expiresAt, code: "" },
        ...{ isSent: isSent === 1n, isVerified: verifiedAt !== 0n },
      };
      return { userEmailVerification };
    },
  };
}
