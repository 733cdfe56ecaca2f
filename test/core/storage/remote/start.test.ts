import { exportSPKI, generateKeyPair, SignJWT } from "jose";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { StartupError } from "../../../../core/base/startup_error.ts";
import { freePort, sqldRuns } from "../../../servers/sqld.ts";
import { openedRemote, rowsOf, temporaryDirectory, temporarySqld } from "../engines.ts";

test("the start fails with the address of the server if the server does not respond", async () => {
  const port = await freePort();
  const opening = openRemoteEngine({ url: `http://127.0.0.1:${port}`, limits: { openTime: 500 } });
  await expect(opening).rejects.toBeInstanceOf(StartupError);
  await expect(opening).rejects.toThrow(
    `the database at 127.0.0.1:${port} cannot be used: the database cannot be reached`,
  );
});

describe.skipIf(!sqldRuns())("a server that requires a token", () => {
  test("serves with the token, and fails the start without it", async () => {
    const { publicKey, privateKey } = await generateKeyPair("EdDSA");
    const keyFile = join(await temporaryDirectory(), "key.pem");
    await writeFile(keyFile, await exportSPKI(publicKey));
    const { url } = await temporarySqld(["--auth-jwt-key-file", keyFile]);
    const token = await new SignJWT({ a: "rw" }).setProtectedHeader({ alg: "EdDSA" }).sign(privateKey);
    expect(await rowsOf((await openedRemote({ url, token })).reader, "select 1")).toEqual([[1n]]);
    for (const wrong of [undefined, "not.a.token"]) {
      await expect(openRemoteEngine({ url, token: wrong })).rejects.toThrow("refuses the access token");
    }
  });
});
