import ts from "typescript";

/** A phrase that readers stumble over, and what to write in its place. */
export interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** A piece of text that people read. */
export interface Passage {
  readonly line: number;
  readonly text: string;
}

// Composed, so that this table does not contain what it refuses.
const word = (...words: string[]) => new RegExp(`\\b(?:${words.join("|")})\\b`, "i");

export const PHRASES: readonly Phrase[] = [
  { pattern: word("to" + "ld"), instead: "notified, called, given, logged" },
  { pattern: word("who" + "(?:m)?ever"), instead: "the caller, the operator, any instance that" },
  { pattern: word("whi" + "ch (?:is|are) not here"), instead: "not configured, not enabled, missing" },
  { pattern: word("(?:is|are|was|be) sa" + "id"), instead: "is declared, is logged, is documented" },
  { pattern: word("can" + "not be found out"), instead: "check failed, unknown" },
  { pattern: word("an" + "ew"), instead: "again" },
  { pattern: word("fau" + "lts?", "fau" + "lty"), instead: "error" },
  { pattern: word("refu" + "sals?"), instead: "error" },
  { pattern: word("stran" + "gers?"), instead: "another user, an anonymous caller, a third party" },
  { pattern: word("no" + "body", "some" + "body"), instead: "no caller, another caller" },
  { pattern: word("at mo" + "st so", "by and" + " by"), instead: "up to, gradually" },
  { pattern: word("ans" + "wer(?:s|ed|ing)?", "rep" + "l(?:y|ies|ied)"), instead: "response, return, respond" },
];

/** What a doc comment must not start with: a clause without its main sentence. */
const HEADLESS = /^\s*(?:What|Whether|Who|Whom|Whose|Where|How|When|Why)\b(?![^.]*\?)/;

/** The strings, templates and comments of a module. */
export function passagesOf(module: string): Passage[] {
  const source = ts.createSourceFile("module.ts", module, ts.ScriptTarget.Latest, true);
  const passages: Passage[] = [];
  const comments = new Set<number>();
  const add = (text: string, position: number) =>
    passages.push({ line: source.getLineAndCharacterOfPosition(position).line + 1, text });

  function visit(node: ts.Node): void {
    const isSpecifier = ts.isStringLiteral(node) &&
      (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent));
    if (!isSpecifier && (ts.isStringLiteralLike(node) || isTemplatePart(node))) add(node.text, node.getStart());
    for (const { pos, end } of ts.getLeadingCommentRanges(module, node.getFullStart()) ?? []) {
      if (comments.has(pos)) continue;
      comments.add(pos);
      add(module.slice(pos, end), pos);
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return passages;
}

function isTemplatePart(node: ts.Node): node is ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail {
  return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}

/** Describes each refused phrase in a passage, and a doc comment that starts with a headless clause. */
export function complaints({ text }: Passage): string[] {
  const found = PHRASES.flatMap(({ pattern, instead }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [`"${match[0]}": write ${instead}`];
  });
  const doc = /^\/\*\*\s*(?:\*\s*)?([^]*)$/.exec(text)?.[1];
  if (doc !== undefined && HEADLESS.test(doc)) found.push("a doc comment starts with a full sentence");
  return found;
}
