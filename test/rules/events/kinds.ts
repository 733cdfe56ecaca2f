import type { DescMessage } from "@bufbuild/protobuf";
import type { Comments, EventKind } from "edgehelm/runtime";
import { KERNEL_ALARMS } from "../../../core/kernel/alarms/kernel_alarms.ts";
import { comments as ownComments } from "../../../proto/comments_pb.ts";
import { firstParty } from "../../matrix/plugins.ts";

export const GUIDE = "core/guides/events.md";
const BEGIN = "<!-- The list below is written by `deno task gen`. -->";

/** Returns the guide with the list of all kinds that the code declares in the place of the list that it has. */
export async function withKinds(guide: string): Promise<string> {
  const at = guide.indexOf(BEGIN);
  if (at === -1) throw new Error(`${GUIDE} lacks "${BEGIN}"`);
  return `${guide.slice(0, at)}${BEGIN}\n\n${await listOfKinds()}`;
}

async function listOfKinds(): Promise<string> {
  const parts = [
    "## Events of the platform",
    ...KERNEL_ALARMS.map(({ began, ended }) => section([began, ended], ownComments)),
  ];
  const plugins = firstParty.filter(({ events = [] }) => events.length > 0)
    .toSorted((one, other) => one.manifest.name < other.manifest.name ? -1 : 1);
  if (plugins.length > 0) parts.push("## Events of plugins");
  for (const plugin of plugins) {
    const { comments } = await plugin.comments!();
    parts.push(...plugin.events!.map((kind) => section([kind], comments)));
  }
  return `${parts.join("\n\n")}\n`;
}

/** Returns the section of a kind, or of the two of an alarm. */
function section(kinds: readonly EventKind[], comments: Comments): string {
  const [{ data, isForOwner }] = kinds as [EventKind];
  const title = kinds.map(({ name }) => `\`${name}\``).join(", ");
  const levels = kinds.map(({ level }) => level).join(", then ");
  const owner = isForOwner ? " Also for the owner." : "";
  return `### ${title}\n\n${commentOf(comments, data.typeName)} Level: ${levels}.${owner}\n\n${
    fieldsOf(data, comments)
  }`;
}

function fieldsOf({ typeName, fields }: DescMessage, comments: Comments): string {
  return fields.map(({ name, localName }) => `- \`${localName}\`: ${commentOf(comments, `${typeName}.${name}`)}`)
    .join("\n");
}

function commentOf(comments: Comments, name: string): string {
  const comment = comments[name];
  if (comment === undefined) throw new Error(`${name} has no comment`);
  return comment;
}

/** Returns a text without the differences that formatting makes. */
export function unformatted(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
