import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { UsageError } from "../api_cli/exit_codes.ts";
import { hasCode } from "../settings/files.ts";
import { type Aside, fileValue } from "./file_values.ts";
import type { Installation } from "./installation.ts";
import type { Item } from "./item.ts";
import { indexed, keyText } from "./labels.ts";
import { labelledValues } from "./labelled.ts";
import type { FileField, Kind } from "./kinds.ts";
import { namesIn, Secrets, SECRETS_FILE } from "./secrets.ts";
import { isBlank, Secret } from "./values.ts";

/** The file that tells a folder with a configuration from others. */
export const MARKER_FILE = "edgehelm.yaml";
const MARKER = "# A configuration of Edgehelm: plan and apply read this folder.\nformat: 1\n";
/** The field of an object with its name, where other fields do not tell it. */
export const LABEL = "label";

/**
 * Writes the objects of kinds to a folder, which must be new, empty or an earlier export. The same configuration always
 * gives the same files.
 *
 * @returns the names of the secrets that the files need
 * @throws UsageError if the folder has other content
 */
export async function writeExport(
  folder: string,
  kinds: readonly Kind[],
  installation: Installation,
  { withSecrets }: { readonly withSecrets: boolean },
): Promise<readonly string[]> {
  const aside: Aside = { files: new Map(), secrets: new Map() };
  const labels = indexed(installation.items);
  const needed = new Set<string>();
  const texts = new Map<string, string>();
  for (const kind of kinds) {
    const items = installation.items.get(kind.name) ?? [];
    if (items.length === 0) continue;
    const ordered = kind.order === undefined ? items.toSorted(byLabel) : items;
    const objects = ordered.map((item) => fileObject(item, labelledValues(item, labels), aside, needed));
    texts.set(`${kind.name}.yaml`, stringify(objects, { lineWidth: 0 }));
  }
  await clear(folder);
  for (const [path, content] of [...texts, ...aside.files]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await writeFile(join(folder, MARKER_FILE), MARKER);
  if (withSecrets) await writeSecrets(folder, new Map([...await keptSecrets(folder, needed), ...aside.secrets]));
  return [...needed].filter((name) => !withSecrets || !aside.secrets.has(name));
}

async function writeSecrets(folder: string, secrets: ReadonlyMap<string, unknown>): Promise<void> {
  const path = join(folder, SECRETS_FILE);
  const inOrder = [...secrets].sort(([one], [other]) => one < other ? -1 : 1);
  await writeFile(path, stringify(Object.fromEntries(inOrder), { lineWidth: 0 }), { mode: 0o600 });
  await chmod(path, 0o600);
}

/** Returns the secrets of an earlier file that the installation does not tell. */
async function keptSecrets(folder: string, needed: ReadonlySet<string>): Promise<Map<string, unknown>> {
  const { values } = await Secrets.read(folder);
  return new Map([...values].filter(([name]) => needed.has(name)));
}

function fileObject(
  { kind, label }: Item,
  values: Readonly<Record<string, unknown>>,
  aside: Aside,
  needed: Set<string>,
): Record<string, unknown> {
  const object: Record<string, unknown> = kind.list === undefined || keyText(kind, values) !== label ? { label } : {};
  const first = kind.key.map((path) => path.split(".")[0]!);
  const names = [...new Set([...first, ...kind.fields.keys()])];
  for (const name of names) {
    const field = kind.fields.get(name);
    if (field === undefined) continue;
    const value = values[name] ?? (isNeeded(field, values) ? new Secret(undefined) : values[name]);
    if (value === undefined) continue;
    const path = [kind.name, label, name].filter(Boolean).join("/");
    object[name] = fileValue(value, path, aside);
    namesIn(object[name]).forEach((secret) => needed.add(secret));
  }
  return object;
}

/** Returns true if an object needs a secret that cannot be read. */
function isNeeded({ isRequired, when }: FileField, values: Readonly<Record<string, unknown>>): boolean {
  return isRequired && (when === undefined || !isBlank(when[1]) && values[when[0]] === when[1]);
}

function byLabel({ label: one }: Item, { label: other }: Item): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Removes the files of an earlier export. */
async function clear(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".git"));
  if (names.length === 0) return;
  try {
    await readFile(join(folder, MARKER_FILE));
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw new UsageError(`"${folder}" is neither empty nor an earlier export; choose another folder`);
  }
  const own = names.filter((name) => name !== SECRETS_FILE && (/^[A-Z]\w*\.yaml$/.test(name) || name === "files"));
  for (const name of own) await rm(join(folder, name), { recursive: true });
}
