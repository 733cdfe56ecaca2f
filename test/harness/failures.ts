import type { Plugin } from "edgehelm";
import type { Session, StorageEngine } from "../../core/storage/engine.ts";

/**
 * Failures that a test orders. Each happens once, at the next occasion.
 *
 * @example
 * ```ts
 * import { equal, rejects } from "node:assert/strict";
 * import { as, testKernel, TestFailures } from "edgehelm/testing";
 * import plugin from "../plugin.ts";
 * import { MyPluginService } from "../proto/service_my_plugin_pb.ts";
 *
 * const { createNote, countNotes } = MyPluginService.method;
 * const failures = new TestFailures();
 * await using edgehelm = await testKernel({ plugins: [plugin], failures });
 * failures.failStatement(2);
 * await rejects(edgehelm.call(as.user(7n), createNote, { text: "bread" }), { code: 500 });
 * equal((await edgehelm.call(as.user(7n), countNotes, {})).count, 0n);
 * ```
 */
export class TestFailures {
  #statement = 0;
  #isCommitDue = false;
  readonly #jobs = new Set<string>();

  /** Fails the n-th statement of plugins in the write transactions that follow. Those of the kernel do not count. */
  failStatement(n: number): void {
    this.#statement = n;
  }

  /** Fails the next write transaction in which a plugin runs a statement at its commit, after all its statements. */
  failCommit(): void {
    this.#isCommitDue = true;
  }

  /**
   * Makes the next run of a job throw.
   *
   * @param name the name with its plugin, such as `notes.delete_old`
   */
  failJob(name: string): void {
    this.#jobs.add(name);
  }

  /** Returns the engine with these failures. */
  engine(engine: StorageEngine): StorageEngine {
    const write: StorageEngine["write"] = (work, deadline) =>
      engine.write(async (session) => {
        let isOfPlugin = false;
        const result = await work(this.#session(session, () => isOfPlugin = true));
        if (this.#isCommitDue && isOfPlugin) {
          this.#isCommitDue = false;
          throw new Error("the commit failed, as the test ordered");
        }
        return result;
      }, deadline);
    return new Proxy(engine, {
      get(target, name) {
        if (name === "write") return write;
        const member = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  /** Returns the plugin with these failures. */
  plugin(plugin: Plugin): Plugin {
    return {
      ...plugin,
      setup: (setup) =>
        plugin.setup({
          ...setup,
          every: (job) =>
            setup.every({
              ...job,
              run: async (call) => {
                const name = `${plugin.manifest.name}.${job.name}`;
                if (this.#jobs.delete(name)) throw new Error(`the job ${name} failed, as the test ordered`);
                await job.run(call);
              },
            }),
        }),
    };
  }

  #session(session: Session, ranOfPlugin: () => void): Session {
    const check = (owner: string) => {
      if (owner === "kernel") return;
      ranOfPlugin();
      if (this.#statement === 0 || --this.#statement > 0) return;
      throw new Error("the statement failed, as the test ordered");
    };
    return {
      writable: session.writable,
      run: (statement, parameters, deadline) => {
        check(statement.scope.owner);
        return session.run(statement, parameters, deadline);
      },
      ...session.defer !== undefined && {
        defer: (statement, parameters) => {
          check(statement.scope.owner);
          session.defer!(statement, parameters);
        },
      },
    };
  }
}
