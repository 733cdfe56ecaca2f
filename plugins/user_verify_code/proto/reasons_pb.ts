// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserVerifyCodeService/sendUserVerifyCode": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","node.not_found","user_verify_code.codes_of_address","user_verify_code.codes_of_all","user_verify_code.codes_of_email","user_verify_code.mobile_unsupported","user_verify_code.no_mail"],
  "/UserVerifyCodeService/validateUserVerifyCode": ["admin.not_found","kernel.invalid_field","kernel.too_many_attempts","node.not_found","user.not_found","user_verify_code.mobile_unsupported"],
};
