import { TokenExchange } from "../auth/access_tokens.ts";
import { AdminDirectories, type AdminDirectory } from "../auth/admin_directory.ts";
import { AccessTokens, type CredentialSource, CredentialSources, TokenEndings } from "../auth/credentials.ts";
import { CallerStandings, type CallerStandingSource } from "../base/caller_standings.ts";
import { EndedTokens } from "../auth/ended_tokens.ts";
import type { KeyRotation } from "../auth/key_rotation.ts";
import { CountedLoginAttempts, LoginAttempts } from "../auth/login/login_attempts.ts";
import { LoginFailures } from "../auth/login/login_failures.ts";
import { Revocation } from "../auth/revocation.ts";
import { signingKeyStore } from "../auth/signing_key_store.ts";
import { SigningKeys } from "../auth/signing_keys.ts";
import { JwtTokens } from "../auth/token.ts";
import type { Call } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import type { Limits } from "../base/limits.ts";
import type { Audit } from "../calls/audit/audit.ts";
import type { Db } from "../storage/database.ts";
import type { StorageEngine } from "../storage/engine.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Container } from "./container.ts";
import type { SystemCalls } from "./system_calls.ts";

export interface AuthenticationOptions {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: Limits;
  readonly tokenLifetimeSeconds: number;
  readonly rotateDays: number;
}

/** The parts of the kernel that issue, verify and revoke credentials. */
export interface Authentication {
  readonly sources: readonly CredentialSource[];
  readonly directories: readonly AdminDirectory[];
  readonly standings: readonly CallerStandingSource[];
  readonly keys: SigningKeys<Call>;
  readonly tokens: JwtTokens<Call>;
  readonly revocation: Revocation;
  readonly ended: EndedTokens;
  readonly failures: LoginFailures;
  readonly loginAttempts: LoginAttempts;
}

/** Creates these parts, and provides the contracts `LoginAttempts` and `AccessTokens` to plugins. */
export function createAuthentication(
  db: Db<KernelTables>,
  calls: SystemCalls,
  container: Container,
  { ring, issuerId }: KeyRotation,
  audit: Audit,
  { engine, clock, timers, limits, tokenLifetimeSeconds, rotateDays }: AuthenticationOptions,
): Authentication {
  const sources = container.contributions(CredentialSources);
  const directories = container.contributions(AdminDirectories);
  const now = () => clock.now();
  const standings = container.contributions(CallerStandings);
  const store = signingKeyStore(db);
  const keys = new SigningKeys<Call>({ store, sealer: ring, now, rotateDays, tokenLifetimeSeconds });
  const tokens = new JwtTokens<Call>({
    keys,
    installationId: issuerId,
    lifetimeSeconds: tokenLifetimeSeconds,
    now,
  });
  const revocation = new Revocation(db, engine.shared);
  const failures = new LoginFailures(db, clock, limits.loginSeconds);
  const ended = new EndedTokens(db, clock, tokenLifetimeSeconds);
  const loginAttempts = new CountedLoginAttempts({
    limits,
    clock,
    timers,
    failures,
    systemCall: () => calls.system("login"),
  });
  container.provide(LoginAttempts, loginAttempts);
  container.provide(
    AccessTokens,
    new TokenExchange({
      ...{ tokens, revocation, ended, sources, directories, standings, loginAttempts, clock },
      endings: container.contributions(TokenEndings),
      onIssue: (call, subject) => audit.issued(call, subject),
    }),
  );
  return { sources, directories, standings, keys, tokens, revocation, ended, failures, loginAttempts };
}
