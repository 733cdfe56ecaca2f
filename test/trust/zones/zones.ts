import { Random } from "../../harness/random.ts";
import { DNSSite, type Machine } from "../../plugins/ns_node/agent/rig.ts";
import type { Campaign, CampaignOptions, CampaignResult } from "../campaign.ts";
import { Model } from "./model.ts";
import { served, untilEqual } from "./samples.ts";

const NODES = 3;
const CHANGES_OF_A_ROUND = 50;

/** Changes zones at random, and kills agents, Knot and the server meanwhile. */
export const zones: Campaign = {
  about: "changes zones of three nodes and kills their agents, Knot and the server, 50 changes and one kill a round",
  rounds: 200,
  run: changeAndKill,
};

async function changeAndKill({ seed, rounds, progress }: CampaignOptions): Promise<CampaignResult> {
  const random = new Random(seed);
  const broken: string[] = [];
  const figures = { changes: 0, samples: 0, agents: 0, knots: 0, servers: 0 };
  await using site = await DNSSite.open();
  const machines: Machine[] = [];
  for (let at = 0; at < NODES; at++) machines.push(await site.machine());
  const model = new Model(random, (path, request) => site.call(path, request), site.nsClusterId);

  /** Kills something, and returns what starts it again. */
  async function kill(machine: Machine): Promise<() => Promise<void>> {
    switch (random.below(4)) {
      case 0:
      case 1:
        figures.agents++;
        await machine.agent.kill();
        return () => machine.agent.restart();
      case 2:
        figures.knots++;
        await machine.knot.kill();
        return () => machine.knot.restart();
      default:
        figures.servers++;
        await site.killServer();
        return () => Promise.resolve();
    }
  }

  for (let round = 0; round < rounds; round++) {
    progress(`${round} of ${rounds} rounds, ${broken.length} broken`);
    let begin = () => Promise.resolve();
    const killAt = random.below(CHANGES_OF_A_ROUND - 10);
    const target = random.oneOf(machines);
    for (let at = 0; at < CHANGES_OF_A_ROUND; at++) {
      if (at === killAt) begin = await kill(target);
      if (at === killAt + 1 + random.below(9)) {
        await begin();
        begin = () => Promise.resolve();
      }
      await model.change();
      figures.changes++;
      if (at % 5 === 0) await sample();
    }
    await begin();
  }

  /** At every moment a node serves some version of each zone. */
  async function sample(): Promise<void> {
    const { knot, nsNodeId } = random.oneOf(machines);
    const name = random.oneOf([...model.domains.keys()]);
    const text = await served(knot, name);
    if (text === undefined) return;
    figures.samples++;
    if (!model.versions.get(name)!.has(text)) broken.push(`node ${nsNodeId}: ${name} was no version: ${text}`);
  }

  for (const { knot, nsNodeId } of machines) {
    for (const name of model.versions.keys()) {
      const text = await untilEqual(knot, name, model.textOf(name));
      if (text !== model.textOf(name)) broken.push(`node ${nsNodeId}: ${name} is ${text}, not ${model.textOf(name)}`);
    }
  }
  return { figures: { ...figures, zones: model.versions.size }, broken };
}
