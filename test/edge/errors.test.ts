import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { transportOver } from "../harness/wire.ts";
import { NSDomainGroupService } from "../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { miniflareRuns } from "../servers/miniflare_package.ts";
import { Sqld, sqldRuns } from "../servers/sqld.ts";
import {
  deploy,
  DEPLOY_TIMEOUT_MILLISECONDS,
  type Deployment,
  type EdgeClient,
  INSTALLATION_KEY,
  startDeployment,
} from "./deployment.ts";

const PLUGINS = ["admin", "api_access_token", "ns_domain_group", "user_access_key"];
const CALL = "/NSDomainGroupService/findAllNSDomainGroups";
const NEWER = "insert into migration_ns_domain_group(name, timestamp) values ('9999_from_the_future', '2030')";
const FIRST = "insert or ignore into migration_ns_domain_group values ('0001_create_ns_domain_groups', '2026')";

describe.skipIf(!sqldRuns() || !miniflareRuns())("a deployment that cannot serve", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy(PLUGINS);
  }, DEPLOY_TIMEOUT_MILLISECONDS);
  afterAll(() => deployment?.[Symbol.asyncDispose]());

  async function readiness({ url }: EdgeClient): Promise<string> {
    const response = await fetch(`${url}/readyz`);
    return `${response.status} ${await response.text()}`;
  }

  test("reports missing variables, and stays alive", async () => {
    const { workerd, client } = await startDeployment(deployment, {});
    await using _ = workerd;
    expect(await readiness(client)).toBe(
      "503 not ready: EDGEHELM_DATABASE_URL must be the URL of a libSQL database: libsql://, https:// or http:// " +
        "(and 1 more)\n",
    );
    expect(await (await fetch(`${client.url}/livez`)).text()).toBe("ok\n");
    expect(await client.send(CALL, {})).toMatchObject({ code: 503, reason: "kernel.unavailable" });
  });

  test("reports the key of another database", async () => {
    const { workerd, client } = await startDeployment(deployment, {
      ...deployment.variables,
      EDGEHELM_KEY: "33".repeat(32),
    });
    await using _ = workerd;
    expect(await readiness(client)).toContain("503 not ready: the installation key does not belong to this database");
  });

  test("reports a database that is not migrated, and creates no tables", async () => {
    await using empty = await Sqld.start(`${deployment.folder}-empty`);
    const { workerd, client } = await startDeployment(deployment, {
      EDGEHELM_DATABASE_URL: empty.url,
      EDGEHELM_KEY: INSTALLATION_KEY,
    });
    await using _ = workerd;
    const message = "the database has no tables of this installation yet: run deno task migrate on it";
    expect(await readiness(client)).toBe(`503 not ready: ${message}\n`);
    expect(await client.send(CALL, {})).toMatchObject({ code: 503, message });
  });

  test.each([
    ["newer", NEWER, "delete from migration_ns_domain_group where name like '9999%'"],
    ["older", "delete from migration_ns_domain_group", FIRST],
  ])(
    "detects a schema that becomes %s, reports it over every protocol, and recovers",
    async (age, change, undo) => {
      const { workerd, client } = await startDeployment(deployment);
      await using _ = workerd;
      expect((await client.post(CALL)).code).toBe(200);
      await deployment.sql(change);
      onTestFinished(() => void deployment.sql(undo));
      await expect.poll(async () => (await client.post(CALL)).code).toBe(503);
      const message = `plugin "ns_domain_group": the database is ${age} than this release`;
      expect((await client.post(CALL)).message).toContain(message);
      expect(await readiness(client)).toContain(`503 not ready: ${message}`);
      for (const wire of ["connect", "grpcweb"] as const) {
        const transport = transportOver(wire, client.fetch, await client.token());
        const call = transport.unary(
          NSDomainGroupService.method.findAllNSDomainGroups,
          undefined,
          undefined,
          undefined,
          {},
        );
        await expect(call).rejects.toThrow(message);
      }
      await deployment.sql(undo);
      await expect.poll(async () => (await client.post(CALL)).code).toBe(200);
      expect(await readiness(client)).toBe("200 ok\n");
    },
  );

  test("recovers when its database is available again", async () => {
    const { workerd, client } = await startDeployment(deployment);
    await using _ = workerd;
    await deployment.sqld.kill();
    expect((await client.send(CALL, {})).code).toBe(503);
    await deployment.sqld.restart();
    await expect.poll(async () => (await client.post(CALL)).code).toBe(200);
  });
});
