// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.FindACMEAuthenticationKeyWithTokenRequest": "提供商的提问。",
  "pb.FindACMEAuthenticationKeyWithTokenRequest.token": "提问路径中的令牌。",
};
