-- Under the policies no search could use the index of terms, because what compares lists is not leakproof. So this one is a function, which
-- names the tenant and what its reader may read.

grant create on schema sentinel to sentinel_functions;
do $$ begin execute format('grant sentinel_functions to %I', current_user); end $$;

-- The chunks that hold any of some terms, a line each: the number of its owner, its session, time, key, part and length, then how often it
-- holds each term that was read. One text, because a driver takes a microsecond for each field.
--
-- Each term has two numbers, for what all of the tenant may read and for what is the reader's own. Those terms are read that the fewest chunks
-- hold, together at most p_most chunks; if the rarest alone is in more, the newest of these.
create function sentinel.search_chunks(
  p_tenant text, p_owner text, p_channel text, p_all bigint[], p_own bigint[], p_most int,
  out p_count float8, out p_length float8, out p_owners text[], out p_read int[], out p_is_cut boolean, out p_chunks text
) language plpgsql stable security definer set search_path = sentinel, pg_temp as $$
declare
  held int;
  holders int[] := '{}';
  read_all bigint[];
  read_own bigint[];
begin
  select coalesce(sum(t.chunks), 0), coalesce(sum(t.length), 0), coalesce(array_agg(distinct t.owner), '{}')
  into p_count, p_length, p_owners
  from chunk_totals t where t.tenant = p_tenant and may_read(t.owner, t.channel, p_owner, p_channel);

  for n in 1 .. cardinality(p_all) loop
    select count(*) into held from (
      select from chunks c
      where c.terms && array[p_all[n], p_own[n]] and c.tenant = p_tenant and may_read(c.owner, c.channel, p_owner, p_channel)
      limit p_most + 1) as counted;
    holders := holders || held;
  end loop;

  select array_agg(rarest.n order by rarest.n) filter (where rarest.sum <= p_most or rarest.place = 1),
    coalesce(bool_or(rarest.sum > p_most), false)
  into p_read, p_is_cut
  from (
    select n, sum(counted.count) over (order by counted.count, n) as sum, row_number() over (order by counted.count, n) as place
    from unnest(holders) with ordinality as counted (count, n) where counted.count > 0
  ) as rarest;
  p_read := coalesce(p_read, '{}');

  select array_agg(p_all[n] order by place), array_agg(p_own[n] order by place) into read_all, read_own
  from unnest(p_read) with ordinality as chosen (n, place);

  select string_agg(concat_ws(' ', array_position(p_owners, c.owner), c.session_no, (extract(epoch from c.ts) * 1000)::bigint,
      c.key, c.part, c.length, (
        select string_agg(coalesce(c.frequencies[array_position(c.terms, asked.term)], 0)::text, ' ' order by asked.place)
        from unnest(case when c.channel in ('public', 'team') then read_all else read_own end) with ordinality as asked (term, place)
      )), E'\n')
  into p_chunks
  from (
    select * from chunks
    where terms && (read_all || read_own) and tenant = p_tenant and may_read(owner, channel, p_owner, p_channel)
    order by ts desc limit p_most
  ) as c;
end $$;

alter function sentinel.search_chunks owner to sentinel_functions;
revoke all on function sentinel.search_chunks from public;
grant execute on function sentinel.search_chunks to sentinel_app;

do $$ begin execute format('revoke sentinel_functions from %I', current_user); end $$;
revoke create on schema sentinel from sentinel_functions;
