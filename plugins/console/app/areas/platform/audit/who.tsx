import type { JSX } from "preact";
import { linkTo } from "../../../shell/route.ts";
import { isListed } from "../../../shell/state.ts";
import type { AuditLog } from "./logs.ts";
import { texts } from "./texts.ts";

/** Who did it, with a link to them. */
export function Who({ log: { adminId, userId, userName, type } }: { log: AuditLog }): JSX.Element {
  const { value: text } = texts;
  if (adminId === 0n && userId === 0n) return <span class="dim">{type}</span>;
  const [noun, id] = userId > 0n ? ["User", userId] as const : ["Admin", adminId] as const;
  const name = userName || `${userId > 0n ? text.user : text.admin} ${id}`;
  const kind = <span class="dim">{userId > 0n ? text.user : text.admin}</span>;
  if (!isListed(noun)) return <>{name} {kind}</>;
  const link = noun === "Admin" ? linkTo(["admins", id]) : linkTo(["resource", noun, id]);
  return (
    <>
      <a class="link" href={link}>{name}</a> {kind}
    </>
  );
}
