import { argon2id, argon2Verify } from "hash-wasm";
import { parentPort } from "node:worker_threads";
import { PASSWORD_COST } from "../../auth/passwords.ts";

/** One password to hash, or to verify when `phc` is there. */
export interface PasswordJob {
  readonly id: number;
  readonly password: string;
  readonly phc: string | undefined;
}

export type PasswordJobResult =
  | { readonly id: number; readonly value: string | boolean }
  | { readonly id: number; readonly fault: string };

async function run({ password, phc }: PasswordJob): Promise<string | boolean> {
  if (phc !== undefined) return await argon2Verify({ password, hash: phc });
  return await argon2id({
    password,
    salt: crypto.getRandomValues(new Uint8Array(PASSWORD_COST.saltBytes)),
    memorySize: PASSWORD_COST.memoryKiB,
    iterations: PASSWORD_COST.iterations,
    parallelism: PASSWORD_COST.parallelism,
    hashLength: PASSWORD_COST.hashBytes,
    outputType: "encoded",
  });
}

async function answer(job: PasswordJob): Promise<void> {
  const result: PasswordJobResult = await run(job).then(
    (value) => ({ id: job.id, value }),
    (fault: unknown) => ({ id: job.id, fault: String(fault) }),
  );
  parentPort?.postMessage(result);
}

// One after another, since each job takes its own memory as long as it runs.
let turn = Promise.resolve();
parentPort?.on("message", (job: PasswordJob) => {
  turn = turn.then(() => answer(job));
});
