import type { Plugin } from "edgehelm";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { fillInstallation, type TargetInstallation, type TargetOperation } from "../target/installation.ts";
import { Target } from "../target/target.ts";
import { type MarkedRequest, markedRequest, type Send } from "./marked_request.ts";
import { type AuthorizedRequest, runSqlmap, type SqlmapResult } from "./sqlmap.ts";

/** Operations of a run of sqlmap, which gets a new copy of the database. */
const BATCH = 20;

/** Lets sqlmap inject into every text of the requests of operations. A round is an operation. */
export const injections: Campaign = {
  about: "lets sqlmap inject into every text of the requests of operations, over HTTP JSON",
  rounds: 1000,
  run: (options) => inject(options),
};

/** Further plugins to attack, and a choice of operations. */
export interface InjectionScope {
  readonly plugins: readonly Plugin[];
  /** The paths of the modules of the plugins. */
  readonly modules: readonly string[];
  readonly includes: (operation: TargetOperation) => boolean;
}

const EVERYTHING: InjectionScope = { plugins: [], modules: [], includes: () => true };

export async function inject(
  { from = 0, rounds, progress }: CampaignOptions,
  { plugins, modules, includes }: InjectionScope = EVERYTHING,
): Promise<CampaignResult> {
  await using installation = await fillInstallation(plugins);
  const chosen = installation.operations.filter(includes).sort((one, other) => orderOf(one) - orderOf(other));
  const operations = chosen.slice(from, from + rounds);
  const marked = await markedRequests(installation, modules, operations);
  const totals = {
    operations: operations.length,
    withTexts: marked.length,
    valid: 0,
    texts: 0,
    tested: 0,
    requests: 0,
    unrepeated: 0,
    rejected: 0,
  };
  const findings: string[] = [];
  const broken: string[] = [];
  for (let first = 0; first < marked.length; first += BATCH) {
    const batch = marked.slice(first, first + BATCH);
    const target = await Target.start(installation, { plugins: modules, bodySeconds: 30 });
    try {
      const requests = batch.map((request) => ({
        ...request,
        token: tokenFor(request.operation, installation, target),
      }));
      const result = await runSqlmap(target.httpPort, requests);
      totals.tested += result.tested;
      totals.requests += result.requests;
      totals.rejected += result.rejected;
      const repeated = await repeatedFindings(target, requests, result);
      totals.requests += repeated.requests;
      totals.unrepeated += result.findings.length - repeated.findings.length;
      findings.push(...repeated.findings);
      broken.push(...repeated.findings.map((finding) => `sqlmap: ${finding}`));
    } finally {
      await target.stop();
    }
    // A text that became part of a statement usually breaks it, which the server logs as a defect.
    broken.push(...target.loggedErrors.map((line) => `the server logged ${line}`));
    totals.valid += batch.filter(({ isValid }) => isValid).length;
    totals.texts += batch.reduce((sum, { fields }) => sum + fields.length, 0);
    progress(
      `${first + batch.length} of ${marked.length} operations: ${
        JSON.stringify({ ...totals, findings: findings.length })
      }`,
    );
    for (const line of broken.slice(-5)) progress(line);
  }
  return { figures: { ...totals, findings: findings.length }, broken };
}

/**
 * Tries the requests with findings again, alone. On a busy machine a response that comes too late looks like a
 * difference; a text that becomes part of a statement is found each time.
 */
async function repeatedFindings(
  { httpPort }: Target,
  requests: readonly AuthorizedRequest[],
  { findings }: SqlmapResult,
): Promise<Pick<SqlmapResult, "requests" | "findings">> {
  const found = requests.filter(({ operation: { path } }) => findings.some((finding) => finding.includes(`${path},`)));
  return found.length === 0 ? { requests: 0, findings: [] } : await runSqlmap(httpPort, found);
}

/** Reads come first, and operations that delete what others need come last. */
function orderOf({ effect, path }: TargetOperation): number {
  if (effect === "read") return 0;
  return /\/(delete|remove|disable|reset)/.test(path) ? 3 : effect === "write" ? 1 : 2;
}

/** Tries requests on a server of its own. */
async function markedRequests(
  installation: TargetInstallation,
  plugins: readonly string[],
  operations: readonly TargetOperation[],
): Promise<readonly MarkedRequest[]> {
  const target = await Target.start(installation, { plugins, bodySeconds: 30 });
  const send: Send = async (operation, body) => {
    const token = tokenFor(operation, installation, target);
    const headers: Record<string, string> = token === undefined ? {} : { "x-cloud-access-token": token };
    const url = `http://127.0.0.1:${target.httpPort}${operation.path}`;
    return await (await fetch(url, { method: "POST", body, headers })).json();
  };
  try {
    const marked: MarkedRequest[] = [];
    for (const operation of operations) {
      const request = await markedRequest(operation, send);
      if (request !== undefined) marked.push(request);
    }
    return marked;
  } finally {
    await target.stop();
  }
}

function tokenFor({ roles }: TargetOperation, { callers }: TargetInstallation, { tokens }: Target): string | undefined {
  return tokens[callers.findIndex(({ role }) => roles.has(role))];
}
