import type { DescField } from "@bufbuild/protobuf";
import { textTable } from "../texts/table.ts";

const words = textTable({
  en: { none: "not verified", verified: "verified", rejected: "rejected", forbidden: "forbidden" },
  zh: { none: "未验证", verified: "已验证", rejected: "已拒绝", forbidden: "已禁用" },
});

const KINDS = { none: "warn", verified: "ok", rejected: "bad", forbidden: "bad" } as const;

/** Returns the state of a domain in words, if the field is that. */
export function statusOf(
  { name, parent }: DescField,
  value: string,
): { readonly kind: "ok" | "warn" | "bad"; readonly text: string } | undefined {
  if (parent.typeName !== "pb.NSDomain" || name !== "status" || !(value in KINDS)) return undefined;
  const status = value as keyof typeof KINDS;
  return { kind: KINDS[status], text: words.value[status] };
}
