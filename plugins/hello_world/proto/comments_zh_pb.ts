// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.HelloWorldService": "教程服务：插件可以提供的最小服务。",
  "pb.HelloWorldService.SayHello": "返回一条问候语。",
  "pb.SayHelloRequest": "要问候的名称。",
  "pb.SayHelloRequest.id": "要在问候语中重复的数字。",
  "pb.SayHelloRequest.name": "要问候的名称。",
  "pb.SayHelloResponse": "问候语。",
  "pb.SayHelloResponse.result": "问候语，包含 ID 和名称。",
};
