// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/LogService/cleanLogsPermanently": ["kernel.invalid_field"],
  "/LogService/countLogs": ["kernel.invalid_field"],
  "/LogService/createLog": ["kernel.invalid_field"],
  "/LogService/deleteLogPermanently": ["kernel.invalid_field","log.audit_kept","log.not_found"],
  "/LogService/deleteLogsPermanently": ["kernel.invalid_field","log.audit_kept"],
  "/LogService/findLog": ["admin.not_found","kernel.invalid_field","log.not_found"],
  "/LogService/listLogs": ["admin.not_found","kernel.invalid_field","log.not_found"],
  "/LogService/sumLogsSize": ["kernel.invalid_field"],
};
