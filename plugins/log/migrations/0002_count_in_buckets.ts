import { type Kysely, sql } from "kysely";

/**
 * How many logs there are in each bucket of ids, for every day, level and kind of caller: it answers every count, and
 * tells where the pages of every list lie. A bucket is an id without its last idBits bits.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table logBuckets (
      idBits integer not null,
      bucket integer not null,
      day integer not null,
      level text not null,
      byUser integer not null,
      n integer not null,
      primary key (idBits, bucket, day, level, byUser)
    ) strict, without rowid`.execute(db);
  for (const idBits of [18, 10]) {
    await sql`
      insert into logBuckets
        select ${sql.lit(idBits)}, id >> ${sql.lit(idBits)}, createdAt / 86400, level, userId > 0, count(*)
        from logs group by 2, 3, 4, 5`.execute(db);
  }
  await sql`drop trigger logs_inserted`.execute(db);
  await sql`drop trigger logs_deleted`.execute(db);
  await sql`
    create trigger logs_inserted after insert on logs begin
      update logTotals set count = count + 1, bytes = bytes + new.bytes;
      insert into logBuckets select b.value, new.id >> b.value, new.createdAt / 86400, new.level, new.userId > 0, 1
        from (select 18 as value union all select 10) as b where true
        on conflict (idBits, bucket, day, level, byUser) do update set n = n + 1;
    end`.execute(db);
  await sql`
    create trigger logs_deleted after delete on logs begin
      update logTotals set count = count - 1, bytes = bytes - old.bytes;
      update logBuckets set n = n - 1 where (idBits, bucket) in (values (18, old.id >> 18), (10, old.id >> 10))
        and day = old.createdAt / 86400 and level = old.level and byUser = (old.userId > 0);
      delete from logBuckets where n = 0 and (idBits, bucket) in (values (18, old.id >> 18), (10, old.id >> 10))
        and day = old.createdAt / 86400 and level = old.level and byUser = (old.userId > 0);
    end`.execute(db);
}
