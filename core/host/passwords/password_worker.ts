import { argon2id, argon2Verify } from "hash-wasm";
import { parentPort } from "node:worker_threads";
import { PASSWORD_COST } from "../../auth/passwords.ts";

/** A password to verify against `phc` or, if that is undefined, to hash. */
export interface PasswordJob {
  readonly id: number;
  readonly password: string;
  readonly phc: string | undefined;
}

export type PasswordJobResult =
  | { readonly id: number; readonly value: string | boolean }
  | { readonly id: number; readonly error: string };

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

async function respond(job: PasswordJob): Promise<void> {
  const result: PasswordJobResult = await run(job).then(
    (value) => ({ id: job.id, value }),
    (error: unknown) => ({ id: job.id, error: String(error) }),
  );
  parentPort?.postMessage(result);
}

// Sequentially, since each running job holds its own memory.
let queue = Promise.resolve();
parentPort?.on("message", (job: PasswordJob) => {
  queue = queue.then(() => respond(job));
});
