import type { DescMessage, Message } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { type Call, type Handlers, kernelErrors } from "edgehelm";
import {
  BidiStreamRequestSchema,
  ClientStreamRequestSchema,
  type ConformancePayload_RequestInfo,
  type ConformanceService,
  IdempotentUnaryRequestSchema,
  ServerStreamRequestSchema,
  type StreamResponseDefinition,
  UnaryRequestSchema,
  type UnaryResponseDefinition,
} from "./proto/conformance_pb.ts";
import { addMetadata, requestedError, requestInfo, requestsInfo } from "./exchange.ts";

type Payload = { data?: Uint8Array; requestInfo?: ConformancePayload_RequestInfo };

/** Returns the handlers of the suite's service, which do what the requests ask for. */
export function conformanceHandlers(): Handlers<typeof ConformanceService> {
  return {
    unary: async (request, call) => ({ payload: await single(call, request, [packed(UnaryRequestSchema, request)]) }),
    idempotentUnary: async (request, call) => ({
      payload: await single(call, request, [packed(IdempotentUnaryRequestSchema, request)]),
    }),
    async clientStream(requests, call) {
      const received: Any[] = [];
      let definition: UnaryResponseDefinition | undefined;
      for await (const request of requests) {
        if (received.length === 0) definition = request.responseDefinition;
        received.push(packed(ClientStreamRequestSchema, request));
      }
      return { payload: await single(call, { responseDefinition: definition }, received) };
    },
    async *serverStream(request, call) {
      const { responseDefinition } = request;
      addMetadata(call, responseDefinition);
      yield* rest(call, responseDefinition, [packed(ServerStreamRequestSchema, request)], 0);
    },
    async *bidiStream(requests, call) {
      let received: Any[] = [];
      let definition: StreamResponseDefinition | undefined;
      let isFullDuplex = false;
      let isFirst = true;
      let sent = 0;
      for await (const request of requests) {
        received.push(packed(BidiStreamRequestSchema, request));
        if (isFirst) {
          ({ responseDefinition: definition, fullDuplex: isFullDuplex } = request);
          addMetadata(call, definition);
          isFirst = false;
        }
        if (!isFullDuplex) continue;
        const data = definition?.responseData[sent];
        if (data === undefined) break;
        await delay(definition!.responseDelayMs, call);
        yield { payload: { data, requestInfo: sent === 0 ? requestInfo(call, received) : requestsInfo(received) } };
        sent++;
        received = [];
      }
      yield* rest(call, definition, received, sent);
    },
    unimplemented: () => {
      throw kernelErrors.unimplemented("the method is not implemented");
    },
  };
}

/** Returns the single response that a definition asks for, or throws its error. */
async function single(
  call: Call,
  { responseDefinition: definition }: { readonly responseDefinition?: UnaryResponseDefinition | undefined },
  requests: readonly Any[],
): Promise<Payload> {
  const info = requestInfo(call, requests);
  if (definition === undefined) return { requestInfo: info };
  addMetadata(call, definition);
  await delay(definition.responseDelayMs, call);
  const { response } = definition;
  if (response.case === "error") throw requestedError(response.value, info);
  return response.case === undefined ? { requestInfo: info } : { data: response.value, requestInfo: info };
}

/** Yields the responses from number `sent` on, and throws the error that follows them. */
async function* rest(
  call: Call,
  definition: StreamResponseDefinition | undefined,
  requests: readonly Any[],
  sent: number,
): AsyncGenerator<{ payload: Payload }> {
  if (definition === undefined) return;
  const { responseData, responseDelayMs, error } = definition;
  const isFirst = sent === 0;
  for (; sent < responseData.length; sent++) {
    await delay(responseDelayMs, call);
    yield { payload: { data: responseData[sent]!, ...sent === 0 && { requestInfo: requestInfo(call, requests) } } };
  }
  if (error !== undefined) throw requestedError(error, isFirst && sent === 0 ? requestInfo(call, requests) : undefined);
}

function packed<Desc extends DescMessage>(type: Desc, request: Message): Any {
  return anyPack(type, request as never);
}

/** Waits, unless the caller leaves. */
function delay(milliseconds: number, { signal }: Call): Promise<void> | undefined {
  if (milliseconds === 0) return undefined;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
