import { kernelErrors } from "../../base/errors.ts";
import { decodeBase64, encodeBase64 } from "../../protobuf/json/base64.ts";

/** Matches the content types of gRPC-Web in base64, for browsers that cannot read binary streams. */
const TEXT = /^application\/grpc-web-text(?=\+|;|$)/i;
const BINARY = "application/grpc-web";
const decoder = new TextDecoder("latin1");

/** Returns the content type of the same call in binary; undefined if a call is not gRPC-Web in base64. */
export function binaryType(contentType: string | null): string | undefined {
  return contentType !== null && TEXT.test(contentType) ? contentType.replace(TEXT, BINARY) : undefined;
}

/** Decodes the body of a request, of which each part may have its own padding. */
export async function* decodedText(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk);
    const end = rest.length - rest.length % 4;
    yield* decodedGroups(rest.slice(0, end));
    rest = rest.slice(end);
  }
  yield* decodedGroups(rest);
}

function* decodedGroups(text: string): Generator<Uint8Array> {
  for (const part of text.match(/[^=]+={0,2}/g) ?? []) {
    const bytes = decodeBase64(part);
    if (bytes === undefined) throw kernelErrors.malformed("the body is not base64");
    yield bytes;
  }
}

/** Returns a response of gRPC-Web in base64. */
export function textResponse(response: Response): Response {
  const headers = new Headers(response.headers);
  const type = headers.get("content-type") ?? "";
  if (type.startsWith(BINARY)) headers.set("content-type", type.replace(BINARY, `${BINARY}-text`));
  const { status, body } = response;
  return new Response(body && body.pipeThrough(textEncoding()), { status, headers });
}

/** Encodes each part on its own, so that none is held back. */
function textEncoding(): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new TransformStream({
    transform: (chunk, controller) => controller.enqueue(encoder.encode(encodeBase64(chunk))),
  });
}
