/** The outcome of one check of an installation. */
export interface Finding {
  readonly severity: "ok" | "warning" | "failure";
  /** The part of the installation that was checked. */
  readonly subject: string;
  /** The result of the check and, for anything but `ok`, what to do about it. */
  readonly text: string;
}

export function ok(subject: string, text: string): Finding {
  return { severity: "ok", subject, text };
}

export function warning(subject: string, text: string): Finding {
  return { severity: "warning", subject, text };
}

export function failure(subject: string, text: string): Finding {
  return { severity: "failure", subject, text };
}
