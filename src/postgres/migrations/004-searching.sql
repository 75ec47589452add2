-- Under the policies no search could use the index of terms, because what compares lists is not leakproof. So this one is a function, which
-- names the tenant and what its reader may read.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- The chunks that hold any of some terms, a line each: the number of its owner, its session, time, key, part and length, then the number
-- of each term it holds and how often. One text, because a driver takes a microsecond for each field.
--
-- Each term has two numbers, for what all of the tenant may read and for what is the reader's own. Those terms are read that the fewest chunks
-- hold, together at most p_most times; if the rarest alone is in more, the newest of these. Of more than p_pool chunks those come back whose
-- terms are the rarest, and p_counts says of each term that was read how many hold it.
create function sentinel.search_chunks(
  p_tenant text, p_owner text, p_channel text, p_all bigint[], p_own bigint[], p_most int, p_pool int,
  out p_count float8, out p_length float8, out p_owners text[], out p_is_cut boolean, out p_counts int[], out p_chunks text
) language plpgsql stable security definer set search_path = sentinel, pg_temp set enable_seqscan = off as $$
declare
  for_all text[] := array(select c from unnest(array['public', 'team']) as c where width(c) <= width(p_channel));
  for_owner text[] := array(select c from unnest(array['agent', 'private']) as c where width(c) <= width(p_channel));
  places tid[] := '{}';
  terms_held int[] := '{}';
  times_held int[] := '{}';
  found_places tid[];
  found_times int[];
  counts int[] := '{}';
  are_read int[];
  rarities float8[];
begin
  select coalesce(sum(t.chunks), 0), coalesce(sum(t.length), 0), coalesce(array_agg(distinct t.owner), '{}')
  into p_count, p_length, p_owners
  from chunk_totals t where t.tenant = p_tenant and may_read(t.owner, t.channel, p_owner, p_channel);

  for n in 1 .. cardinality(p_all) loop
    -- The tenant is compared in words that no other index is used for: the one of terms finds only this tenant's.
    select coalesce(array_agg(held.place), '{}'), coalesce(array_agg(held.times), '{}') into found_places, found_times from (
      select c.ctid as place, coalesce(c.frequencies[coalesce(
        array_position(c.repeated, p_all[n]), array_position(c.repeated, p_own[n]))], 1) as times
      from chunks c
      where c.terms && array[p_all[n], p_own[n]] and c.tenant is not distinct from p_tenant
        and (c.channel = any (for_all) or c.owner = p_owner and c.channel = any (for_owner))
      limit p_most + 1) as held;
    counts := counts || cardinality(found_places);
    places := places || found_places;
    times_held := times_held || found_times;
    terms_held := terms_held || array_fill(n, array[cardinality(found_places)]);
  end loop;

  select coalesce(array_agg(rarest.n) filter (where rarest.sum <= p_most or rarest.rank = 1), '{}'),
    coalesce(bool_or(rarest.sum > p_most), false)
  into are_read, p_is_cut
  from (
    select n, sum(c.count) over (order by c.count, n) as sum, row_number() over (order by c.count, n) as rank
    from unnest(counts) with ordinality as c (count, n) where c.count > 0
  ) as rarest;

  if p_is_cut and cardinality(are_read) = 1 and counts[are_read[1]] > p_most then
    select array_agg(held.place) into places from (
      select c.ctid as place from chunks c
      where c.terms && array[p_all[are_read[1]], p_own[are_read[1]]] and c.tenant is not distinct from p_tenant
        and (c.channel = any (for_all) or c.owner = p_owner and c.channel = any (for_owner))
      order by c.ts desc limit p_most) as held;
    terms_held := array_fill(are_read[1], array[p_most]);
    times_held := array_fill(1, array[p_most]);
    counts[are_read[1]] := p_most;
  end if;

  select array_agg(case when n = any (are_read) then count else 0 end order by n),
    array_agg(ln(1 + greatest(p_count - count + 0.5, 0) / (count + 0.5)) order by n)
  into p_counts, rarities
  from unnest(counts) with ordinality as c (count, n);

  select string_agg(concat_ws(' ', array_position(p_owners, c.owner), c.session_no, (extract(epoch from c.ts) * 1000)::bigint,
    c.key, c.part, c.length, held.terms), E'\n')
  into p_chunks
  from (
    select place, string_agg(n || ' ' || times, ' ') as terms
    from unnest(places, terms_held, times_held) as posting (place, n, times)
    join (
      select place from unnest(places, terms_held) as posting (place, n)
      where n = any (are_read) group by place order by sum(rarities[n]) desc, place desc limit p_pool
    ) as best using (place)
    where n = any (are_read) group by place
  ) as held join chunks c on c.ctid = held.place;
end $$;

alter function sentinel.search_chunks owner to sentinel_functions;
revoke all on function sentinel.search_chunks from public;
grant execute on function sentinel.search_chunks to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
