// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserEmailVerificationService/findLatestUserEmailVerification": ["admin.not_found","kernel.invalid_field","node.not_found"],
  "/UserEmailVerificationService/sendUserEmailVerification": ["admin.not_found","kernel.invalid_field","kernel.too_many_attempts","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target","node.not_found","user.not_found","user.old_password_required","user.old_password_wrong","user_email_verification.no_mail","user_email_verification.too_many_of_email","user_email_verification.too_many_of_user"],
  "/UserEmailVerificationService/verifyUserEmail": ["admin.not_found","kernel.invalid_field","message_media_instance.not_found","message_task.not_found","message_task.unavailable_target","node.not_found","user.not_found"],
};
