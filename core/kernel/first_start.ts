import type { InstallationKey } from "../auth/installation_key.ts";
import type { SigningKeys } from "../auth/signing_keys.ts";
import type { Call } from "../base/call.ts";
import { StartupError } from "../base/startup_error.ts";
import { type ChosenAccessKey, FirstStart } from "../plugin_api/extension_points.ts";
import type { Degradation } from "./degradation.ts";
import type { Container } from "./container.ts";
import type { InstallationState } from "./installation_state.ts";

export interface FirstStartOptions {
  readonly installationKey: InstallationKey;
  /** The access key that the operator chose for the first admin. */
  readonly chosenAccessKey?: ChosenAccessKey | undefined;
  /** False if migrations run separately, as on edge runtimes. */
  readonly migrate: boolean;
}

/**
 * Creates the installation in one transaction, unless it exists.
 *
 * @param call a call of the installation itself, which may transact
 * @returns lines for the operator after the first start
 * @throws StartupError if it does not exist and may not be created: only `migrate` creates an installation, because its
 *   operator must see the first access key
 */
export async function startInstallation(
  call: Call,
  state: InstallationState,
  keys: SigningKeys<Call>,
  container: Container,
  { installationKey, chosenAccessKey, migrate }: FirstStartOptions,
  { failed }: Degradation,
): Promise<readonly string[]> {
  if (!migrate) {
    if (await state.id(call) !== undefined) return [];
    throw new StartupError("the database contains no installation: run deno task migrate");
  }
  return await call.transact(async (inner) => {
    if (await state.id(inner) !== undefined) {
      await keys.rotateIfDue(inner);
      return [];
    }
    if (failed.length > 0) {
      const lines = failed.map(({ manifest, error }) => `the plugin "${manifest.name}" does not run: ${error}`);
      throw new StartupError([...lines, "the first start of an installation needs all of its plugins"]);
    }
    await state.create(inner, installationKey);
    await keys.rotateIfDue(inner);
    const lines: string[] = [];
    for (const task of container.contributions(FirstStart)) lines.push(...await task.run(inner, chosenAccessKey));
    return lines;
  });
}
