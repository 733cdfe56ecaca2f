import type { Reporter, TestModule } from "vitest/node";
import { MARK } from "../harness/needs.ts";

type UserConsoleLog = Parameters<NonNullable<Reporter["onUserConsoleLog"]>>[0];

/** Prints one line at the end of a run: which suites were skipped, and what each of them needs. */
export default class SkippedSuites implements Reporter {
  /** Needs by the id of the module, or the test, that reported them. */
  readonly #needs = new Map<string, Set<string>>();

  onUserConsoleLog({ taskId, content }: UserConsoleLog): void {
    for (const line of content.split("\n")) {
      if (taskId === undefined || !line.startsWith(MARK)) continue;
      const needs = this.#needs.get(taskId) ?? new Set();
      this.#needs.set(taskId, needs.add(line.slice(MARK.length).trim()));
    }
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const line = summary(modules.map((module) => ({
      path: module.relativeModuleId,
      skipped: [...module.children.allTests("skipped")].length,
      needs: this.#needsOf(module),
    })));
    if (line !== undefined) console.log(`\n${line}`);
  }

  #needsOf(module: TestModule): string[] {
    const ids = [module.id, ...[...module.children.allTests()].map(({ id }) => id)];
    return [...new Set(ids.flatMap((id) => [...this.#needs.get(id) ?? []]))];
  }
}

interface ModuleSummary {
  readonly path: string;
  readonly skipped: number;
  readonly needs: readonly string[];
}

/** Returns the line, or undefined when nothing was skipped for want of something. */
export function summary(modules: readonly ModuleSummary[]): string | undefined {
  const lacking = modules.filter(({ needs }) => needs.length > 0);
  if (lacking.length === 0) return undefined;
  const byNeeds = Map.groupBy(lacking, ({ needs }) => needs.toSorted().join(" and "));
  const parts = [...byNeeds].map(([needs, found]) => {
    const tests = found.reduce((sum, { skipped }) => sum + skipped, 0);
    return `${tests} tests need ${needs} (${found.map(({ path }) => path).join(", ")})`;
  });
  return `skipped suites: ${parts.join("; ")}`;
}
