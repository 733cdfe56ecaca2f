/** The options of a run. */
export interface CampaignOptions {
  readonly seed: number;
  /** The number of rounds; what a round is depends on the campaign. */
  readonly rounds: number;
  /** The number of the first round, to repeat a part of a run; 0 by default. Only for campaigns with numbered rounds. */
  readonly from?: number;
  readonly progress: (text: string) => void;
}

/** The outcome of a run. */
export interface CampaignResult {
  /** The numbers that the run prints. */
  readonly figures: Readonly<Record<string, number>>;
  /** A line for each promise that was broken. */
  readonly broken: readonly string[];
}

/** An attack on a promise, which can be repeated with the same seed. */
export interface Campaign {
  readonly about: string;
  /** The rounds of a full run. */
  readonly rounds: number;
  run(options: CampaignOptions): Promise<CampaignResult>;
}

/** A short run of a campaign in the test suite. */
export function shortRun(campaign: Campaign, rounds: number): Promise<CampaignResult> {
  return campaign.run({ seed: 20_261_101, rounds, progress() {} });
}
