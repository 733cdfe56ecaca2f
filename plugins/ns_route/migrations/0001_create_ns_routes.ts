import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsRoutes (
      id integer primary key autoincrement,
      nsClusterId integer not null,
      nsDomainId integer not null,
      userId integer not null,
      name text not null,
      rangesJSON blob not null,
      isPublic integer not null,
      priority integer not null,
      "order" integer not null,
      isOn integer not null default 1,
      version integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      'index nsRoutes_live on nsRoutes ("order" desc, id) where state = 1',
      'index nsRoutes_public on nsRoutes ("order" desc, id) where state = 1 and isPublic = 1',
      'index nsRoutes_cluster on nsRoutes (nsClusterId, "order" desc, id) where state = 1',
      'index nsRoutes_domain on nsRoutes (nsDomainId, "order" desc, id) where state = 1',
      'index nsRoutes_user on nsRoutes (userId, "order" desc, id) where state = 1',
      "unique index nsRoutes_version on nsRoutes (version)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  // One row: what versions and orders were given out last.
  await sql`create table nsRouteVersions (id integer primary key, version integer not null) strict`.execute(db);
  await sql`insert into nsRouteVersions (id, version) values (1, 0)`.execute(db);
}
