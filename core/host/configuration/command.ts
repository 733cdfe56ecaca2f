import { parseArgs } from "node:util";
import type { ApiDocument } from "../api_cli/api_document.ts";
import { askConsent } from "../api_cli/consent.ts";
import { EXIT, UsageError } from "../api_cli/exit_codes.ts";
import type { Session } from "../api_cli/session.ts";
import { Api } from "./api.ts";
import { Application, type Done } from "./apply.ts";
import { writeExport } from "./export_files.ts";
import { readFiles, type WantedObjects } from "./import_files.ts";
import { InstallationReader } from "./installation.ts";
import type { Known } from "./item.ts";
import { type Kind, type Kinds, kindsOf } from "./kinds.ts";
import { isDone, type Plan, planOf } from "./plan.ts";
import { planData, planLines } from "./printed.ts";
import { CountProgress } from "./progress.ts";
import { requireReferences } from "./references.ts";
import { namesIn, Secrets } from "./secrets.ts";
import { ValueCodec } from "./values.ts";

/** An installation, and what it declares. */
export interface Target {
  readonly session: Pick<Session, "call">;
  readonly document: ApiDocument;
}

/** The last lines that a command prints, and its exit code. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly code: number;
}

/** Writes the configuration of an installation to a folder. */
export async function exportCommand({ session, document }: Target, args: readonly string[]): Promise<Outcome> {
  const { folder, flags } = read(args, {
    kind: { type: "string", multiple: true },
    "with-secrets": { type: "boolean" },
  });
  const kinds = kindsOf(document);
  const chosen = chosenKinds(kinds, flags["kind"] as string[] | undefined);
  const withSecrets = flags["with-secrets"] === true;
  const reader = new InstallationReader(new Api(session), kinds, new ValueCodec(kinds), () => withSecrets);
  const installation = await reader.read(withReferred(chosen, kinds));
  const needed = await writeExport(folder, chosen, installation, { withSecrets });
  const count = chosen.reduce((sum, { name }) => sum + (installation.items.get(name)?.length ?? 0), 0);
  return done([
    `wrote ${count} objects to ${folder}`,
    ...installation.forbidden.map((name) => `left out ${name}: not allowed to read it`),
    ...needed.length === 0 ? [] : [`secrets that are not in the files: ${needed.length}, such as ${needed[0]}`],
  ]);
}

/** Shows what `apply` would do. The exit code tells whether that is anything. */
export async function planCommand(target: Target, args: readonly string[]): Promise<Outcome> {
  const { folder, flags } = read(args, { delete: { type: "boolean" }, json: { type: "boolean" } });
  const { plan } = await prepared(target, folder);
  const options = { deletes: flags["delete"] === true };
  const data = () => JSON.stringify(planData(plan, options), undefined, 2);
  return {
    lines: flags["json"] === true ? [data()] : planLines(plan, options),
    code: isDone(plan, options.deletes) ? 0 : EXIT.differs,
  };
}

/** Brings an installation to what the files of a folder say. */
export async function applyCommand(target: Target, args: readonly string[]): Promise<Outcome> {
  const { folder, flags } = read(args, {
    delete: { type: "boolean" },
    yes: { type: "boolean", short: "y" },
    json: { type: "boolean" },
  });
  const { plan, api, codec, secrets, wanted, again } = await prepared(target, folder);
  const options = { deletes: flags["delete"] === true };
  const isJson = flags["json"] === true;
  if (!isJson) { for (const line of planLines(plan, options)) console.log(line); }
  if (isDone(plan, options.deletes)) return done(isJson ? [JSON.stringify(NOTHING)] : []);
  if (flags["yes"] !== true) await requireConsent();
  const progress = new CountProgress("applying");
  const application = new Application({ api, codec, secrets, wanted, plan: again, progress: progress.show });
  try {
    await application.run(plan, options);
  } catch (error) {
    progress.end();
    console.error(`${sentence(application.done)} before the error; run the command again to go on`);
    throw error;
  }
  progress.end();
  return done([isJson ? JSON.stringify(application.done) : sentence(application.done)]);
}

async function prepared({ session, document }: Target, folder: string) {
  const kinds = kindsOf(document);
  const api = new Api(session);
  const codec = new ValueCodec(kinds);
  const [wanted, secrets] = await Promise.all([readFiles(folder, kinds), Secrets.read(folder)]);
  const scope = withReferred([...wanted.keys()].map((name) => kinds.byName.get(name)!), kinds);
  // an object that has the secrets of the files already stays as it is
  const givesSecrets = ({ name }: Kind) =>
    (wanted.get(name) ?? []).some(({ values }) => namesIn(values).some((each) => secrets.value(each) !== undefined));
  const again = async (known: Known = new Map()): Promise<Plan> => {
    const installation = await new InstallationReader(api, kinds, codec, givesSecrets).read(scope, known);
    return planOf(wanted, installation, kinds, secrets);
  };
  const plan = await again();
  requireAllowed(wanted, plan);
  requireReferences(wanted, plan, codec);
  return { plan, api, codec, secrets, wanted, again };
}

function requireAllowed(wanted: WantedObjects, { installation: { forbidden } }: Plan): void {
  const refused = forbidden.find((name) => (wanted.get(name) ?? []).length > 0);
  if (refused !== undefined) throw new UsageError(`not allowed to read objects of ${refused}`);
}

function read(args: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>["options"]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: options!, allowPositionals: true });
    const [folder, ...others] = positionals;
    if (folder === undefined || others.length > 0) throw new UsageError("name one folder");
    return { folder, flags: values as Readonly<Record<string, unknown>> };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function chosenKinds({ byName }: Kinds, names: readonly string[] | undefined): Kind[] {
  return (names ?? [...byName.keys()]).map((name) => {
    const kind = byName.get(name);
    if (kind === undefined) {
      throw new UsageError(`--kind: must be one of ${[...byName.keys()].join(", ")}, got "${name}"`);
    }
    return kind;
  });
}

/** Adds the kinds to which kinds refer, for their names, and those that list them; parents come first. */
function withReferred(chosen: readonly Kind[], kinds: Kinds): Kind[] {
  const all = new Set<Kind>();
  const add = (kind: Kind | undefined) => {
    if (kind === undefined || all.has(kind)) return;
    if (kind.declaration.each !== undefined) add(kinds.byName.get(kind.declaration.each));
    all.add(kind);
    for (const field of kind.fields.values()) {
      if (field.target !== undefined) add(kinds.byName.get(field.target));
      for (const { kind: inner } of field.inner.values()) if (inner !== undefined) add(kinds.byName.get(inner));
    }
  };
  chosen.forEach(add);
  // what is inside JSON is not declared, and what no list has is found through it
  const isWhole = chosen.some((kind) =>
    kind.list === undefined || [...kind.fields.values()].some(({ type }) => type === "json")
  );
  if (isWhole) [...kinds.byName.values()].forEach(add);
  return [...all].toSorted((one, other) => depth(one, kinds) - depth(other, kinds));
}

function depth({ declaration: { each } }: Kind, kinds: Kinds): number {
  const parent = each === undefined ? undefined : kinds.byName.get(each);
  return parent === undefined ? 0 : depth(parent, kinds) + 1;
}

async function requireConsent(): Promise<void> {
  const isWanted = await askConsent("apply?");
  if (isWanted === undefined) throw new UsageError("there is no terminal to ask; --yes applies without asking");
  if (!isWanted) throw new UsageError("nothing was applied");
}

function sentence({ created, changed, deleted }: Done): string {
  return `created ${created}, changed ${changed}, deleted ${deleted}`;
}

function done(lines: readonly string[]): Outcome {
  return { lines, code: 0 };
}

const NOTHING: Done = { created: 0, changed: 0, deleted: 0 };
