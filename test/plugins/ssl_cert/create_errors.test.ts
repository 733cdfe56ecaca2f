import { describe, expect, test } from "vitest";
import { certificateFile as file } from "./certificates.ts";
import { create, rsa, useKernel } from "./rig.ts";

useKernel();

describe("createSSLCert", () => {
  const truncated = file("rsa.pem").slice(0, 400);

  test.each([
    ["no certificate", {}, "certData: must contain a certificate in PEM"],
    ["no key", { certData: rsa.certData }, "keyData: must not be empty"],
    ["invalid PEM", { ...rsa, certData: new Uint8Array([1, 2]) }, "certData: must contain a certificate in PEM"],
    ["a truncated certificate", { ...rsa, certData: truncated }, "certData: must contain a certificate in PEM"],
    ["a malformed certificate", { ...rsa, certData: pem("AQID") }, "certData: certificate 1 is malformed"],
    ["invalid base64", { ...rsa, certData: pem("A") }, "certData: the PEM block CERTIFICATE is not valid base64"],
    ["a key as the certificate", { ...rsa, certData: rsa.keyData }, "certData: must contain a certificate in PEM"],
    ["an encrypted key", { ...rsa, keyData: file("rsa_encrypted.key") }, "keyData: must not be encrypted"],
    ["a certificate as the key", { ...rsa, keyData: rsa.certData }, "keyData: must be a private key in PEM"],
    [
      "a key of another algorithm",
      { ...rsa, keyData: file("p256_sec1.key") },
      "keyData: does not match the certificate",
    ],
    [
      "another key of the same algorithm",
      { certData: file("p256.pem"), keyData: file("other.key") },
      "keyData: does not match the certificate",
    ],
    ["an oversized key", { ...rsa, keyData: new Uint8Array(20_000) }, "keyData: must have at most 16384 bytes"],
    [
      "an oversized certificate",
      { ...rsa, certData: new Uint8Array(300_000) },
      "certData: must have at most 262144 bytes, got 300000",
    ],
  ])("refuses %s", async (_name, request, message) => {
    await expect(create(request)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

function pem(base64: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
}
