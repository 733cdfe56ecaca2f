import type { Handlers } from "edgehelm";
import { ipAddressField } from "edgehelm/fields";
import type { CodeForm, UserVerifyCodes } from "./contract.ts";
import type { UserVerifyCodeService } from "./proto/service_user_verify_code_pb.ts";

const WRONG = "the code is wrong, was used, replaced or tried too often, or has expired";

export function verifyCodeHandlers(codes: UserVerifyCodes): Handlers<typeof UserVerifyCodeService> {
  const formOf = ({ type, email, mobile, ip }: Omit<CodeForm, "statedAddress"> & { readonly ip: string }) => ({
    ...{ type, email, mobile },
    statedAddress: ip === "" ? "" : ipAddressField("ip", ip),
  });

  return {
    async sendUserVerifyCode(request, call) {
      await codes.send(call, formOf(request));
      return { codeLength: codes.codeLength };
    },

    async validateUserVerifyCode(request, call) {
      const { code, newPassword } = request;
      if (await codes.reset(call, { ...formOf(request), code, newPassword })) return { isOk: true };
      return { isOk: false, errorCode: "wrong_code", errorMessage: WRONG };
    },
  };
}
