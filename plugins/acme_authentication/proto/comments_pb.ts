// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.ACMEAuthenticationService": "Gives edge nodes the responses to the questions of ACME providers.",
  "pb.ACMEAuthenticationService.findACMEAuthenticationKeyWithToken": "Finds what a node returns for GET /.well-known/acme-challenge/<token> (RFC 8555, 8.3). Nodes get responses for names of sites that their cluster serves.",
  "pb.FindACMEAuthenticationKeyWithTokenRequest": "The question of a provider.",
  "pb.FindACMEAuthenticationKeyWithTokenRequest.token": "The token in the path of the question.",
  "pb.FindACMEAuthenticationKeyWithTokenResponse": "The response.",
  "pb.FindACMEAuthenticationKeyWithTokenResponse.key": "The body of the response; empty if the token is unknown or the cluster of the node does not serve the site.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
