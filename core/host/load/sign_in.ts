import { StartupError } from "../../base/startup_error.ts";
import type { Kernel } from "../../kernel/kernel.ts";

/**
 * Checks that callers can sign in. With some subsets of plugins, every operation needs a token that none issues.
 *
 * @throws StartupError that names the plugins to add
 */
export function requireSignIn({ operations, credentialRoles }: Pick<Kernel, "operations" | "credentialRoles">): void {
  const needsToken = operations.all.some(({ roles }) => !roles.has("anonymous"));
  if (!needsToken) return;
  const isExchanged = operations.all.some(({ path }) => path.startsWith("/APIAccessTokenService/"));
  if (!isExchanged) throw unreachable("exchanges access keys for access tokens", "api_access_token");
  if (!credentialRoles.has("admin")) throw unreachable("gives access keys to admins", "admin and user_access_key");
}

function unreachable(lack: string, plugins: string): StartupError {
  return new StartupError(
    `no caller could sign in: no enabled plugin ${lack}. Add ${plugins} to "plugins" in the installation manifest`,
  );
}
