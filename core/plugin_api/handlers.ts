import type {
  DescMethod,
  DescMethodBiDiStreaming,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Call } from "../base/call.ts";

/**
 * What serves one method. The answer is a plain object in the shape of the response message; fields that are left out
 * have their zero value. Streams are async iterables.
 */
export type Handler<Method extends DescMethod> = Method extends DescMethodUnary<infer Request, infer Response>
  ? (request: MessageShape<Request>, call: Call) => Promise<MessageInitShape<Response>> | MessageInitShape<Response>
  : Method extends DescMethodServerStreaming<infer Request, infer Response>
    ? (request: MessageShape<Request>, call: Call) => AsyncIterable<MessageInitShape<Response>>
  : Method extends DescMethodClientStreaming<infer Request, infer Response>
    ? (requests: AsyncIterable<MessageShape<Request>>, call: Call) => Promise<MessageInitShape<Response>>
  : Method extends DescMethodBiDiStreaming<infer Request, infer Response>
    ? (requests: AsyncIterable<MessageShape<Request>>, call: Call) => AsyncIterable<MessageInitShape<Response>>
  : never;

/** One handler for each method of a service; a missing or unknown one does not compile. */
export type Handlers<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: Handler<Service["method"][Name]>;
};
