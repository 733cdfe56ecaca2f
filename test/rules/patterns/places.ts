import ts from "typescript";
import { serverFiles, textOf } from "./literals.ts";

/** A place in the source code where a text becomes a pattern. */
export interface Place {
  readonly path: string;
  /** The way in which it becomes one: the name of a function, an SQL operator, or `RegExp`. */
  readonly by: string;
}

/** The functions that make patterns of texts. */
export const MAKERS: readonly string[] = ["containing", "likePattern", "trigramQuery", "hostMatcher"];
const BEFORE_PATTERN = /\b(like|match|glob|regexp|positionCaseInsensitive)(?:\s*\(\s*\S+,)?\s*$/i;
const BEFORE_LITERAL = /\b(like|match|glob|regexp)\s+'/i;
const OPERATOR = /^(?:not )?(?:i?like|match|glob|regexp)$/i;

/** Returns the places in the code of the server, except for literal expressions. */
export function patternPlaces(): Place[] {
  return serverFiles().flatMap((path) => {
    const found: Place[] = [];
    const add = (by: string) => found.push({ path, by });
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
        const name = node.expression.getText();
        if (name === "RegExp" || (MAKERS.includes(name) && !isOwn(path, name))) add(name);
      }
      if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node)) {
        const [, operator] = BEFORE_PATTERN.exec(node.text) ?? [];
        if (operator !== undefined) add(operator.toLowerCase());
      }
      if (ts.isStringLiteralLike(node) && (OPERATOR.test(node.text) || BEFORE_LITERAL.test(node.text))) {
        add((BEFORE_LITERAL.exec(node.text)?.[1] ?? node.text).toLowerCase());
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true));
    return found;
  });
}

/** Returns true for a function of the same name that a file declares itself. */
function isOwn(path: string, name: string): boolean {
  return new RegExp(`function ${name}\\(`).test(textOf(path));
}
