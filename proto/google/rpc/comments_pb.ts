// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "google.rpc.ErrorInfo": "ErrorInfo carries the stable reason of an error in gRPC, gRPC-Web and Connect, as defined by Google's error model (AIP-193).",
  "google.rpc.ErrorInfo.domain": "The domain of the reason: always \"edgehelm\".",
  "google.rpc.ErrorInfo.metadata": "Additional data: the request id under \"requestId\".",
  "google.rpc.ErrorInfo.reason": "The reason for programs, such as ns_domain.name_taken.",
  "google.rpc.Status": "Status is an error with its details, as gRPC sends it in the trailer grpc-status-details-bin.",
  "google.rpc.Status.code": "The gRPC status code, such as 5 for NOT_FOUND.",
  "google.rpc.Status.details": "The details for programs: one ErrorInfo.",
  "google.rpc.Status.message": "The message for people.",
};
