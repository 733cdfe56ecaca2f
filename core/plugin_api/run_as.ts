/** Runs work of a plugin, so that the host can attribute the errors of what it starts. */
export type RunAs = <Result>(plugin: string, work: () => Result) => Result;

/** For hosts that attribute nothing. */
export const runPlain: RunAs = (_plugin, work) => work();
