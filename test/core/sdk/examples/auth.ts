import { equal, match, notEqual } from "node:assert/strict";
import { definePlugin } from "edgehelm";
import { newAccessKeyId, newAccessKeySecret, PasswordHashing, sealedSecrets, Secrets } from "edgehelm/auth";
import { testKernel } from "edgehelm/testing";

const plugin = definePlugin({
  manifest: { name: "doors", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { sealer: Secrets, passwords: PasswordHashing },
  async setup({ deps: { sealer, passwords }, every }) {
    // a machine's secret is encrypted for its row, because it is shown again
    const secrets = await sealedSecrets(sealer, "doors", "secret");
    const [uniqueId, secret] = [newAccessKeyId(), newAccessKeySecret()];
    const sealed = await secrets.seal(uniqueId, secret);
    notEqual(sealed, secret);
    equal(await secrets.matches(uniqueId, sealed, secret), true);
    equal(await secrets.matches(uniqueId, sealed, "guess"), false);

    // a person's password is hashed
    every({
      name: "hash",
      everySeconds: 3600,
      async run(call) {
        const hash = await passwords.hash(call, "password", "correct horse");
        match(hash, /^\$argon2id\$/);
        equal(await passwords.verify(call, "correct horse", hash), true);
      },
    });
  },
});

await using edgehelm = await testKernel({ plugins: [plugin] });
await edgehelm.kernel.runJob("doors.hash");
