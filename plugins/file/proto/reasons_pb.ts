// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/FileService/createFile": ["file.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found"],
  "/FileService/findEnabledFile": ["file.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/FileService/updateFileFinished": ["file.incomplete","file.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
};
