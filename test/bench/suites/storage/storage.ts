import { fileURLToPath } from "node:url";
import { createDomains } from "../../installation/domains.ts";
import { Installation } from "../../installation/installation.ts";
import { denoCommand } from "../../installation/start_command.ts";
import { rateMeasurement } from "../../measurement/rate.ts";
import type { Suite } from "../../suite.ts";

const SINGLE = fileURLToPath(new URL("./single_commit_server.ts", import.meta.url));
const WRITERS = 64;

/**
 * Creates through the default kernel: with group commit, with a commit for each, and from a single writer. A domain group
 * is the plainest row there is, so that commits weigh most; a domain also keeps its version, counts and search index.
 */
export const storage: Suite = {
  async open({ root, seconds }) {
    const stack = new AsyncDisposableStack();
    const grouped = stack.use(await Installation.start(root));
    const single = stack.use(await Installation.start(root, { command: denoCommand(SINGLE, "start") }));
    const groups = ({ headers }: Installation) => ({
      path: "/NSDomainGroupService/createNSDomainGroup",
      headers,
      body: '{"name":"<unique>"}',
      expected: '"nsDomainGroupId":',
    });
    const { nsClusterId } = await createDomains(grouped, 1);
    const domains = {
      path: "/NSDomainService/createNSDomain",
      headers: grouped.headers,
      body: `{"nsClusterId":${nsClusterId},"name":"<unique>.bench.test"}`,
      expected: '"nsDomainId":',
    };
    const [many, one] = [{ connections: WRITERS, seconds }, { connections: 1, seconds }];
    return {
      measurements: [
        rateMeasurement("groups_64_callers", () => grouped.httpPort, groups(grouped), many),
        rateMeasurement("groups_64_callers_commit_each", () => single.httpPort, groups(single), many),
        rateMeasurement("groups_1_caller", () => grouped.httpPort, groups(grouped), one),
        rateMeasurement("domains_64_callers", () => grouped.httpPort, domains, many),
        rateMeasurement("domains_1_caller", () => grouped.httpPort, domains, one),
      ],
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};
