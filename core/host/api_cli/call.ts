import type { ApiDocument, ApiOperation } from "./api_document.ts";
import { readCall, type RequestedCall } from "./call_command.ts";
import { formatOf, formatted } from "./output.ts";
import type { Session } from "./session.ts";

/** The number of items that one call of a whole list asks for. */
const PAGE_SIZE = 500;

/** Calls an operation as the flags say, and prints the response. */
export async function call(
  session: Session,
  document: ApiDocument,
  operation: ApiOperation,
  args: readonly string[],
): Promise<void> {
  const requested = await readCall(document, operation, args);
  if (requested === undefined) return;
  const format = formatOf(requested.output);
  const data = requested.isWhole
    ? await allPages(session, operation, requested)
    : await session.call(operation.path, JSON.stringify(requested.request));
  console.log(await formatted(data ?? {}, format));
}

async function allPages(session: Session, { path }: ApiOperation, { request }: RequestedCall): Promise<unknown> {
  const all: Record<string, unknown[]> = {};
  for (let offset = 0;; offset += PAGE_SIZE) {
    const page = await session.call(path, JSON.stringify({ ...request, offset, size: PAGE_SIZE }));
    const lists = Object.entries(page as object).filter((entry): entry is [string, unknown[]] =>
      Array.isArray(entry[1])
    );
    for (const [name, items] of lists) all[name] = [...all[name] ?? [], ...items];
    if (!lists.some(([, items]) => items.length === PAGE_SIZE)) return all;
  }
}
