import { hexText } from "../../../base/hex.ts";

/** The credentials of an S3-compatible store. */
export interface S3Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A request to sign. */
export interface S3Request {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array<ArrayBuffer>;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const encoder = new TextEncoder();

/** Returns the headers that sign a request to S3 with AWS Signature Version 4, the hash of its body included. */
export async function signedHeaders(
  { method, url, body }: S3Request,
  { region, accessKeyId, secretAccessKey }: S3Credentials,
  now: Date,
): Promise<Record<string, string>> {
  const time = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  const date = time.slice(0, 8);
  const scope = `${date}/${region}/s3/aws4_request`;
  const hash = await sha256(body);
  const signed = { host: url.host, "x-amz-content-sha256": hash, "x-amz-date": time };
  const names = Object.keys(signed).join(";");
  const headerLines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`).join("");
  const canonical = [method, url.pathname, canonicalQuery(url.searchParams), headerLines, names, hash].join("\n");
  const text = [ALGORITHM, time, scope, await sha256(encoder.encode(canonical))].join("\n");
  let key = encoder.encode(`AWS4${secretAccessKey}`);
  for (const part of [date, region, "s3", "aws4_request"]) key = await hmac(key, part);
  const signature = hexText(await hmac(key, text));
  return {
    "x-amz-content-sha256": hash,
    "x-amz-date": time,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Returns the parameters in the order and the encoding of a signature, which are also valid in an address. */
export function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters].map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).sort().join("&");
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
}
