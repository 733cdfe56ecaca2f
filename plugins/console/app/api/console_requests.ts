import { ApiError } from "edgehelm/client";

/** A session of a person, as the server describes it. */
export interface SessionInfo {
  readonly id: string;
  readonly isCurrent: boolean;
  /** True if it began with an access key. */
  readonly isOfKey: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** The token of a page whose reader is signed in. */
export interface Grant {
  readonly token: string;
  /** In unix seconds. */
  readonly expiresAt: number;
  readonly type: "admin" | "user";
  /** The id of the admin or user. */
  readonly id: string;
  /** True if the reader may do nothing before there is a second factor. */
  readonly mustSetUp: boolean;
}

/** A request about the session, which a cookie names that the page cannot read. */
export async function askConsole<Data>(name: string, fields: object = {}): Promise<Data> {
  const response = await fetch(`/console/session/${name}`, {
    method: "POST",
    headers: { "x-edgehelm-console": "1", "content-type": "application/json" },
    body: JSON.stringify(fields),
  }).catch((cause) => {
    throw new ApiError({ message: "the server cannot be reached", code: 0, reason: "", cause });
  });
  const { code, data, message, reason } = await response.json();
  if (code !== 200) throw new ApiError({ code, message, reason });
  return data;
}
