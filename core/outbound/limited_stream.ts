import { kernelErrors } from "../base/errors.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The surroundings of a limited stream. */
export interface StreamLimits {
  readonly host: string;
  readonly maxBytes: number;
  /** Converts the error of a read. */
  errorOf(error: unknown): unknown;
  /** Called once when the stream has ended, failed or been cancelled. */
  ended(): void;
}

/** Passes on bytes as they are read, and fails at the first one beyond the limit. */
export function limitedStream(source: ReadableStream<Bytes>, limits: StreamLimits): ReadableStream<Bytes> {
  const { host, maxBytes, errorOf, ended } = limits;
  const reader = source.getReader();
  let left = maxBytes;
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return ended();
        }
        left -= value.length;
        if (left < 0) throw tooLarge(host, maxBytes);
        controller.enqueue(value);
      } catch (error) {
        ended();
        controller.error(errorOf(error));
        await reader.cancel(error).catch(() => {});
      }
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

export function tooLarge(host: string, maxBytes: number) {
  return kernelErrors.unavailable(`${host} sent more than ${maxBytes} bytes`);
}
