import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/ssl_cert/plugin.ts";
import { SSLCertService } from "../../../plugins/ssl_cert/proto/service_ssl_cert_pb.ts";
import { certificateFile as file } from "./certificates.ts";

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(request: object): Promise<bigint> {
  return (await edgehelm.call(as.user(7n), SSLCertService.method.createSSLCert, request)).sslCertId;
}

function pem(base64: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
}

describe("a malformed certificate", () => {
  const der = Buffer.from(new TextDecoder().decode(file("p256.pem")).replace(/-----[^-]+-----|\s/g, ""), "base64");
  const keyData = file("p256_pkcs8.key");

  test("is accepted or refused for any changed byte, and never causes an internal error", async () => {
    const outcomes = new Set<number>();
    for (let at = 0; at < der.length; at += 5) {
      for (const value of [0x00, 0x30, 0x84, 0xff]) {
        const changed = new Uint8Array(der);
        changed[at] = value;
        const outcome = await create({ certData: pem(Buffer.from(changed).toString("base64")), keyData })
          .then(() => 200, ({ code }: { code: number }) => code);
        outcomes.add(outcome);
      }
    }
    expect([...outcomes].sort()).toEqual([200, 400]);
  });

  test("is refused if its parts are oversized", async () => {
    const length = (size: number) => [0x83, size >> 16, (size >> 8) & 0xff, size & 0xff];
    const arcs = 190_000;
    const long = Buffer.from([0x30, ...length(arcs + 5), 0x06, ...length(arcs), ...new Uint8Array(arcs).fill(0xff)]);
    const blank = new TextEncoder().encode(
      `-----BEGIN CERTIFICATE-----${"\n".repeat(250_000)}-----END CERTIFICATE-----`,
    );
    for (const certData of [pem(long.toString("base64")), blank]) {
      await expect(create({ certData, keyData })).rejects.toMatchObject({ code: 400 });
    }
  });
});
