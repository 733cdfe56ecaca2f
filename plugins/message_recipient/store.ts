import { anyOf, type Db, type DefaultFlag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { containing, memoizeByShape } from "edgehelm/storage";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  messageRecipients: LiveTable<{
    adminId: bigint;
    messageMediaInstanceId: bigint;
    /** A JSON array; messageRecipientGroupLinks is the reverse index. */
    groupIds: string;
    /** A JSON array. */
    nodeClusterIds: string;
    description: string;
    user: string;
    timeFrom: string;
    timeTo: string;
    isOn: DefaultFlag;
  }>;
  messageRecipientGroupLinks: { messageRecipientGroupId: bigint; messageRecipientId: bigint };
}

export type RecipientRow = Selectable<Tables["messageRecipients"]>;
export type NewRecipient = Omit<RecipientRow, "id" | "isOn" | "state">;

/** Selects recipients for a list or a count; 0, "" and undefined select all. */
export interface Filter {
  readonly adminId: bigint;
  readonly messageRecipientGroupId: bigint;
  readonly instanceIds: readonly bigint[] | undefined;
  readonly keyword: string;
}

type Values = Filter & Page & { readonly pattern: string };

const isLive = sql<SqlBool>`messageRecipients.state = 1`;

const SETTINGS = [
  "adminId",
  "messageMediaInstanceId",
  "groupIds",
  "nodeClusterIds",
  "description",
  "user",
  "timeFrom",
  "timeTo",
] as const;

/** Defines all SQL statements of this plugin. */
export function messageRecipientStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("messageRecipients").where(isLive);
  const statementsFor = memoizeByShape(
    (
      { adminId, messageRecipientGroupId, instanceIds, keyword }: Filter,
    ) => [adminId !== 0n, messageRecipientGroupId !== 0n, instanceIds !== undefined, keyword !== ""],
    ({ adminId, messageRecipientGroupId, instanceIds, keyword }) => {
      const matching = (q: Kysely<Tables>, p: Values) =>
        live(q).$if(adminId !== 0n, (query) => query.where("adminId", "=", p.adminId))
          .$if(instanceIds !== undefined, (query) => query.where("messageMediaInstanceId", "in", anyOf(p.instanceIds!)))
          .$if(
            messageRecipientGroupId !== 0n,
            (query) =>
              query.where(
                "id",
                "in",
                (links) =>
                  links.selectFrom("messageRecipientGroupLinks").select("messageRecipientId")
                    .where("messageRecipientGroupId", "=", p.messageRecipientGroupId),
              ),
          )
          .$if(keyword !== "", (query) =>
            query.where(
              sql<SqlBool>`("user" like ${p.pattern} escape '\\' or description like ${p.pattern} escape '\\')`,
            ));
      return {
        list: db.query((q, p: Values) =>
          matching(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
        ),
        count: db.query((q, p: Values) => matching(q, p).select(rowCount)),
      };
    },
  );

  return {
    ...liveRows(db, "messageRecipients", errors.not_found),
    insert: db.insert("messageRecipients", SETTINGS),
    update: db.update("messageRecipients", [...SETTINGS, "isOn"]),
    ofAdmin: db.query((q, p: { adminId: bigint }) => live(q).select("id").where("adminId", "=", p.adminId)),
    ofInstance: db.query((q, p: { id: bigint; limit: number }) =>
      live(q).select(["id", "user"]).where("messageMediaInstanceId", "=", p.id).limit(p.limit)
    ),
    ofGroup: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("messageRecipientGroupLinks").innerJoin(
        "messageRecipients",
        "messageRecipients.id",
        "messageRecipientId",
      )
        .select("messageRecipients.user").where("messageRecipientGroupId", "=", p.id)
        .limit(p.limit)
    ),
    /** Returns the statements and values for a filter, and how to run them: `scan` runs outside the event loop. */
    prepare(filter: Filter, page: Page = { offset: 0n, size: 0n }) {
      const run = filter.keyword === "" ? "all" as const : "scan" as const;
      return { ...statementsFor(filter), run, values: { ...filter, ...page, pattern: containing(filter.keyword) } };
    },
  };
}

export type MessageRecipientStore = ReturnType<typeof messageRecipientStore>;
