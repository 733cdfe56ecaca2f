// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "grpc.health.v1.Health": "Health implements gRPC's health checking protocol.",
  "grpc.health.v1.Health.Check": "Returns the current status of a service.",
  "grpc.health.v1.Health.List": "Returns the current status of every service.",
  "grpc.health.v1.Health.Watch": "Returns the current status of a service, and every change.",
  "grpc.health.v1.HealthCheckRequest": "HealthCheckRequest names a service.",
  "grpc.health.v1.HealthCheckRequest.service": "The full name of the service, such as pb.NSDomainService; empty means the server as a whole.",
  "grpc.health.v1.HealthCheckResponse": "HealthCheckResponse is the status of a service.",
  "grpc.health.v1.HealthCheckResponse.status": "SERVICE_UNKNOWN is for Watch only; Check fails with NOT_FOUND instead.",
  "grpc.health.v1.HealthListRequest": "HealthListRequest is empty.",
  "grpc.health.v1.HealthListResponse": "HealthListResponse contains the status of every service.",
  "grpc.health.v1.HealthListResponse.statuses": "The status by full service name; the empty name is the server as a whole.",
};
