-- Under the policies no search could use the index of terms, because what compares lists is not leakproof. So these are functions, which
-- name the tenant and what their reader may read.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- The chunks that hold any of some terms, a line a term: of each chunk its ctid, its length, and how often it holds the term. One text,
-- because a driver takes a microsecond for each field. A ctid names a chunk for as long as the transaction lasts.
--
-- Each term has two numbers, for what all of the tenant may read and for what is the reader's own. Those terms are read that the fewest chunks
-- hold, together at most p_most times; if the rarest alone is in more, the newest of these. p_counts says of each term that was read how many
-- hold it, and p_held of each how many were found. p_known is what the reader knows from earlier searches, 0 where it knows nothing: the
-- search skips a term that is too common, because counting one takes as long as reading it.
create function sentinel.search_chunks(
  p_tenant text, p_owner text, p_channel text, p_all bigint[], p_own bigint[], p_known int[], p_most int,
  out p_count float8, out p_length float8, out p_is_cut boolean, out p_counts int[], out p_held int[], out p_postings text
) language plpgsql stable security definer set search_path = sentinel, pg_temp set enable_seqscan = off as $$
declare
  for_all text[] := array(select c from unnest(array['public', 'team']) as c where width(c) <= width(p_channel));
  for_owner text[] := array(select c from unnest(array['agent', 'private']) as c where width(c) <= width(p_channel));
  postings text[] := '{}';
  held int;
  found text;
  are_read int[];
begin
  select coalesce(sum(t.chunks), 0), coalesce(sum(t.length), 0) into p_count, p_length
  from chunk_totals t where t.tenant = p_tenant and may_read(t.owner, t.channel, p_owner, p_channel);

  p_held := p_known;
  for look in 1 .. 2 loop
    for n in 1 .. cardinality(p_all) loop
      -- First those of which nothing is known, then those known that are read.
      continue when case look when 1 then p_known[n] > 0 else postings[n] is not null or n <> all (are_read) end;
      -- The tenant is compared in words that no other index is used for: the one of terms finds only this tenant's.
      select count(*), coalesce(string_agg(posting, ' '), '') into held, found from (
        (select concat_ws(' ', c.ctid, c.length, coalesce(c.frequencies[array_position(c.repeated, p_own[n])], 1)) as posting
         from chunks c
         where c.terms && array[p_own[n]] and c.owner = p_owner and c.channel = any (for_owner)
           and c.tenant is not distinct from p_tenant
         limit p_most + 1)
        union all
        (select concat_ws(' ', c.ctid, c.length, coalesce(c.frequencies[array_position(c.repeated, p_all[n])], 1))
         from chunks c
         where c.terms && array[p_all[n]] and c.channel = any (for_all) and c.tenant is not distinct from p_tenant
         limit p_most + 1)
        limit p_most + 1) as holders;
      p_held[n] := held;
      postings[n] := found;
    end loop;
    continue when look = 2;
    select coalesce(array_agg(rarest.n) filter (where rarest.sum <= p_most or rarest.rank = 1), '{}'),
      coalesce(bool_or(rarest.sum > p_most), false)
    into are_read, p_is_cut
    from (
      select n, sum(h.held) over (order by h.held, n) as sum, row_number() over (order by h.held, n) as rank
      from unnest(p_held) with ordinality as h (held, n) where h.held > 0
    ) as rarest;
  end loop;

  if p_is_cut and cardinality(are_read) = 1 and p_held[are_read[1]] > p_most then
    -- The newest last: of equal ones ranking takes those that come later.
    select string_agg(posting, ' ' order by ts) into found from (
      select concat_ws(' ', c.ctid, c.length, 1) as posting, c.ts from chunks c
      where c.terms && array[p_all[are_read[1]], p_own[are_read[1]]] and c.tenant is not distinct from p_tenant
        and (c.channel = any (for_all) or c.owner = p_owner and c.channel = any (for_owner))
      order by c.ts desc limit p_most) as holders;
    postings[are_read[1]] := found;
    p_held[are_read[1]] := p_most;
  end if;

  select array_agg(case when n = any (are_read) then h.held else 0 end order by n),
    string_agg(case when n = any (are_read) then postings[n] else '' end, E'\n' order by n)
  into p_counts, p_postings
  from unnest(p_held) with ordinality as h (held, n);
end $$;

-- Of chunks, by their ctids: who recorded each, and its session; then the chunk among those that stand nearest to it there, p_near at most on
-- either side, in their order: of each its ctid, ms, key and part, with | between.
create function sentinel.chunks_around(p_tenant text, p_owner text, p_channel text, p_places tid[], p_near int)
returns table (owner text, session_no bigint, around text)
language plpgsql stable security definer set search_path = sentinel, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select of.owner, of.session_no,
    (select string_agg(concat_ws(' ', near.ctid, (date_part('epoch', near.ts) * 1000)::bigint, near.key, near.part), '|'
      order by near.ts, near.key, near.part)
    from (
      select of.ctid, of.ts, of.key, of.part
      union all
      (select c.ctid, c.ts, c.key, c.part from chunks c
       where c.tenant = p_tenant and c.owner = of.owner and c.session_no = of.session_no
         and (c.ts, c.key, c.part) < (of.ts, of.key, of.part) and may_read(c.owner, c.channel, p_owner, p_channel)
       order by c.ts desc, c.key desc, c.part desc limit p_near)
      union all
      (select c.ctid, c.ts, c.key, c.part from chunks c
       where c.tenant = p_tenant and c.owner = of.owner and c.session_no = of.session_no
         and (c.ts, c.key, c.part) > (of.ts, of.key, of.part) and may_read(c.owner, c.channel, p_owner, p_channel)
       order by c.ts, c.key, c.part limit p_near)
    ) as near)
  from unnest(p_places) with ordinality as asked (place, n)
  join chunks of on of.ctid = asked.place and of.tenant = p_tenant and may_read(of.owner, of.channel, p_owner, p_channel)
  order by asked.n;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['search_chunks', 'chunks_around'] loop
    execute format('alter function sentinel.%I owner to sentinel_functions', name);
    execute format('revoke all on function sentinel.%I from public', name);
    execute format('grant execute on function sentinel.%I to sentinel_app', name);
  end loop;
end $$;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
