import ts from "typescript";

const HEADING = /^# (?<index>\S+)$/;
const DECLARATION =
  /^(?:export (?:declare )?(?:abstract )?(?:const|function|class|interface|type) (?<name>\w+)|(?<alias>\w+) is:$)/;
const DEPRECATED = /^@deprecated (?<name>[\w.]+):/;

/** Returns a line of the report for a declaration that is marked as deprecated, and for each such member of it. */
export function deprecations(name: string, statement: ts.Statement): string[] {
  const members = ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement) ? statement.members : [];
  const named = [[name, statement] as const, ...members.map((one) => [`${name}.${one.name?.getText()}`, one] as const)];
  return named.flatMap(([path, node]) => {
    const tag = ts.getJSDocDeprecatedTag(node);
    return tag === undefined ? [] : [`@deprecated ${path}: ${ts.getTextOfJSDocComment(tag.comment) ?? ""}`];
  });
}

/** The names that a report has for one module of the package. */
interface Surface {
  readonly names: ReadonlySet<string>;
  readonly deprecated: ReadonlySet<string>;
}

/** Returns the names in a report, by module. */
export function surfaces(report: string): ReadonlyMap<string, Surface> {
  const found = new Map<string, { names: Set<string>; deprecated: Set<string> }>();
  let current = { names: new Set<string>(), deprecated: new Set<string>() };
  // a declaration that is exported under another name follows that name
  let isAliased = false;
  for (const line of report.split("\n")) {
    const index = HEADING.exec(line)?.groups?.["index"];
    if (index !== undefined) found.set(index, current = { names: new Set(), deprecated: new Set() });
    const { name, alias } = DECLARATION.exec(line)?.groups ?? {};
    if (alias !== undefined) current.names.add(alias);
    else if (name !== undefined && !isAliased) current.names.add(name);
    isAliased = alias !== undefined || (isAliased && line !== "");
    const deprecated = DEPRECATED.exec(line)?.groups?.["name"];
    if (deprecated !== undefined) current.deprecated.add(deprecated);
  }
  return found;
}

/** Returns what was removed although the record did not mark it as deprecated, such as `core/mod.ts: errors`. */
export function removedAtOnce(recorded: string, present: string): string[] {
  const left = surfaces(present);
  return [...surfaces(recorded)].flatMap(([index, { names, deprecated }]) =>
    [...names].filter((name) => !deprecated.has(name) && !left.get(index)?.names.has(name))
      .map((name) => `${index}: ${name}`)
  );
}
