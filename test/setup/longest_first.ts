import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take minutes, by the end of their paths, longest first. */
const LONG = [
  "test/plugins/console/suites/walk.test.ts",
  "test/matrix/subsets.test.ts",
  "test/matrix/ownership.test.ts",
  "test/plugins/openapi/tools.test.ts",
  "test/matrix/missing/missing.test.ts",
  "test/rules/reasons/reasons.test.ts",
  "test/documents.test.ts",
  "test/matrix/nodes.test.ts",
  "test/host/packed_project.test.ts",
];

/** Starts the files that take longest before all others, so that no worker is left with one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((end) => moduleId.endsWith(end));
      return found === -1 ? LONG.length : found;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
