import type {
  DescMessage,
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

/** The fields of a response message. A field that is undefined is as good as omitted. */
export type ResponseFields<Response extends DescMessage> = OrUndefined<MessageInitShape<Response>>;
type OrUndefined<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };

/**
 * The handler of one method. It returns a plain object with the fields of the response message; omitted fields have
 * their default value. Streams are async iterables.
 *
 * @example
 * ```ts
 * const sayHello: Handler<typeof HelloWorldService.method.sayHello> = ({ name }) => ({ result: `hello ${name}` });
 * ```
 */
export type Handler<Method extends DescMethod> = Method extends DescMethodUnary<infer Request, infer Response>
  ? (request: MessageShape<Request>, call: Call) => Promise<ResponseFields<Response>> | ResponseFields<Response>
  : Method extends DescMethodServerStreaming<infer Request, infer Response>
    ? (request: MessageShape<Request>, call: Call) => AsyncIterable<MessageInitShape<Response>>
  : Method extends DescMethodClientStreaming<infer Request, infer Response>
    ? (requests: AsyncIterable<MessageShape<Request>>, call: Call) => Promise<ResponseFields<Response>>
  : Method extends DescMethodBiDiStreaming<infer Request, infer Response>
    ? (requests: AsyncIterable<MessageShape<Request>>, call: Call) => AsyncIterable<MessageInitShape<Response>>
  : never;

/**
 * The handlers of a service, one for each method. A missing or unknown handler does not compile.
 *
 * @example
 * ```ts
 * export function helloWorldHandlers(store: GreetingStore): Handlers<typeof HelloWorldService> {
 *   return {
 *     async sayHello({ name }, call) {
 *       return { result: `${await store.greeting(call)} ${name}` };
 *     },
 *   };
 * }
 * ```
 */
export type Handlers<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: Handler<Service["method"][Name]>;
};

/** The options of serving a service. */
export interface ServeOptions {
  /**
   * False for a service whose contract says exactly which details its errors have: they come without the
   * google.rpc.ErrorInfo that carries the reason of an error over gRPC, gRPC-Web and Connect. Defaults to true.
   */
  readonly errorInfo?: boolean;
}
