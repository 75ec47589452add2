-- Under the policies no search could use the index of terms, because what compares lists is not leakproof. So these are functions, which
-- name the tenant and what their reader may read.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- The chunks that hold any of some terms, a line a term: of each chunk its ctid, its length, and how often it holds the term. One text,
-- because a driver takes a microsecond for each field. A ctid names a chunk for as long as the transaction lasts.
--
-- Each term has two numbers, for what all of the tenant may read and for what is the reader's own. Those terms are read that the fewest chunks
-- hold, together at most p_most times; if the rarest alone is in more, the newest of these. p_counts says of each term that was read how many
-- hold it. p_held is what is known of every term then, which the reader gives as p_known with its next search, 0 for a term of which it knows
-- nothing: a term that is too common is not read again, because counting it takes as long as reading it. No fewer hold it now than did then,
-- unless chunks went since, and p_gone counts these.
create function sentinel.search_chunks(
  p_tenant text, p_owner text, p_channel text, p_all bigint[], p_own bigint[], p_known int[], p_known_gone bigint, p_most int,
  out p_count float8, out p_length float8, out p_gone bigint, out p_is_cut boolean, out p_counts int[], out p_held int[],
  out p_postings text
) language plpgsql stable security definer set search_path = sentinel, pg_temp set enable_seqscan = off as $$
declare
  for_all text[] := array(select c from unnest(array['public', 'team']) as c where depth(c) <= depth(p_channel));
  for_owner text[] := array(select c from unnest(array['agent', 'private']) as c where depth(c) <= depth(p_channel));
  postings text[] := '{}';
  held int;
  found text;
  n int;
  are_read int[];
  is_lone boolean;
begin
  select coalesce(sum(t.chunks), 0), coalesce(sum(t.length), 0), coalesce(sum(t.gone), 0) into p_count, p_length, p_gone
  from chunk_totals t where t.tenant = p_tenant and may_read(t.owner, t.channel, p_owner, p_channel);

  p_held := case when p_gone = p_known_gone then p_known else array_fill(0, array[cardinality(p_all)]) end;
  -- First those of which nothing is known, then what is to be read of all. More may hold one than was known; then others may be the rarest.
  are_read := array(select h.n from unnest(p_held) with ordinality as h (held, n) where h.held = 0);
  loop
    foreach n in array are_read loop
      continue when postings[n] is not null;
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
    select coalesce(array_agg(rarest.n) filter (where rarest.sum <= p_most or rarest.rank = 1), '{}'),
      coalesce(bool_or(rarest.sum > p_most), false), coalesce(min(rarest.sum) > p_most, false)
    into are_read, p_is_cut, is_lone
    from (
      select h.n, sum(h.held) over (order by h.held, h.n) as sum, row_number() over (order by h.held, h.n) as rank
      from unnest(p_held) with ordinality as h (held, n) where h.held > 0
    ) as rarest;
    exit when is_lone or not exists (select from unnest(are_read) as r (n) where postings[r.n] is null);
  end loop;

  if is_lone then
    -- The newest last: of equal ones ranking takes those that come later.
    select string_agg(posting, ' ' order by ts) into found from (
      select concat_ws(' ', c.ctid, c.length, 1) as posting, c.ts from chunks c
      where c.terms && array[p_all[are_read[1]], p_own[are_read[1]]] and c.tenant is not distinct from p_tenant
        and (c.channel = any (for_all) or c.owner = p_owner and c.channel = any (for_owner))
      order by c.ts desc limit p_most) as holders;
    postings[are_read[1]] := found;
  end if;

  select array_agg(case when h.n = any (are_read) then least(h.held, p_most) else 0 end order by h.n),
    string_agg(case when h.n = any (are_read) then postings[h.n] else '' end, E'\n' order by h.n)
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
