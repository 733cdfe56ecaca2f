import type { Call } from "edgehelm";
import type { ReceiveHandler } from "edgehelm/runtime";
import type { UserVerifyCodes } from "../../user_verify_code/contract.ts";
import { errors } from "../errors.ts";
import { type Answer, type Fields, fromOwnPage, text } from "./requests.ts";

/** Returns the handlers by which people who forgot their password set another, by path; none without codes by mail. */
export function passwordResetHandlers(
  codes: UserVerifyCodes | undefined,
): readonly (readonly [path: string, handler: ReceiveHandler])[] {
  if (codes === undefined) return [];
  const formOf = (fields: Fields) => ({
    ...{ type: "resetPassword", email: text(fields, "email", 1000), mobile: "", statedAddress: "" },
  });

  async function send(_request: Request, fields: Fields, call: Call): Promise<Answer> {
    await codes!.send(call, formOf(fields));
    return { data: { codeLength: codes!.codeLength } };
  }

  async function reset(_request: Request, fields: Fields, call: Call): Promise<Answer> {
    const [code, newPassword] = [text(fields, "code", 40).trim(), text(fields, "newPassword", 1024)];
    if (!await codes!.reset(call, { ...formOf(fields), code, newPassword })) throw errors.reset_refused();
    call.log.info("password reset in the console");
    return { data: {} };
  }

  return [
    ["/console/session/send_code", fromOwnPage(send)],
    ["/console/session/reset_password", fromOwnPage(reset)],
  ];
}
