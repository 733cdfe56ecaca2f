// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.HelloWorldService": "The tutorial service: the smallest service that a plugin can provide.",
  "pb.HelloWorldService.SayHello": "Returns a greeting.",
  "pb.SayHelloRequest": "The name to greet.",
  "pb.SayHelloRequest.id": "A number to repeat in the greeting.",
  "pb.SayHelloRequest.name": "The name to greet.",
  "pb.SayHelloResponse": "The greeting.",
  "pb.SayHelloResponse.result": "The greeting, which contains the id and the name.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
