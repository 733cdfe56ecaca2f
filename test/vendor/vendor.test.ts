import { afterAll, beforeAll, describe } from "vitest";
import { dayTests } from "./day.ts";
import { guideTests } from "./guide.ts";
import { packageTests } from "./package.ts";
import { openWorkshop, type Workshop, workshopRuns } from "./workshop.ts";

describe.skipIf(!workshopRuns())("with a registry", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await openWorkshop();
  });
  afterAll(() => workshop?.[Symbol.asyncDispose]());

  describe("the package", () => packageTests(() => workshop));
  describe("the guide for first plugins", () => guideTests(() => workshop));
  describe("the way of a vendor", () => dayTests(() => workshop));
});
