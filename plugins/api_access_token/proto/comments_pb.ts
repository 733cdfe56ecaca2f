// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.APIAccessTokenService": "Exchanges access keys for access tokens. Every other operation requires such a token, in the header or metadata entry X-Cloud-Access-Token.",
  "pb.APIAccessTokenService.GetAPIAccessToken": "Issues an access token for an access key. A token sent with the call is ignored. An unknown key, a wrong secret, a key or owner that is turned off or deleted, and a wrong type all result in the same error. A key may have any number of valid tokens: issuing a new one does not revoke the others.",
  "pb.GetAPIAccessTokenRequest": "The access key that authenticates the caller.",
  "pb.GetAPIAccessTokenRequest.accessKey": "The secret of the access key: 32 letters and digits.",
  "pb.GetAPIAccessTokenRequest.accessKeyId": "The id of the access key: 16 letters and digits for an admin or a user, the uniqueId for a node.",
  "pb.GetAPIAccessTokenRequest.type": "The kind of owner of the key: admin, user, dns, node or report. Nodes use their uniqueId and secret as the access key.",
  "pb.GetAPIAccessTokenResponse": "A new access token.",
  "pb.GetAPIAccessTokenResponse.expiresAt": "The time at which the token expires, in unix seconds. The lifetime is 7200 seconds unless the installation configures another. Using a token does not extend it: request a new one before it expires.",
  "pb.GetAPIAccessTokenResponse.token": "The access token, to send as X-Cloud-Access-Token; opaque to clients.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
